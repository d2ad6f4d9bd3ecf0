import router from '@adonisjs/core/services/router'
import { readFileSync } from 'node:fs'

const bytes = readFileSync(process.env.BYTES_FILE!)

router.get('/json', () => ({ ok: true }))

router.get('/bytes', ({ response }) => {
  response.header('Content-Type', 'application/json; charset=utf-8')
  return response.send(bytes)
})
