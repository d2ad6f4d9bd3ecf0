import { descriptionText } from '#tests/support/described'
import { isMissing, programsNamed, runProgram, skipReason } from '#tests/support/guide_programs'
import { testBaseUrl } from '#tests/support/partner_client'
import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const read = (path: string) => readFileSync(app.makePath('docs/api', path), 'utf8')

interface Vector {
  name: string
  timestamp: string
  method: string
  uri: string
  body: string
  canonical_string: string
  signature: string
}
const { secret, vectors } = JSON.parse(read('check_vector.json')) as {
  secret: string
  vectors: Vector[]
}

test.group('Integration guide', () => {
  for (const file of readdirSync(app.makePath('docs/api/examples'))) {
    test(`contains examples/${file} word for word`, ({ assert }) => {
      const blocks = read('guide.md').split(/^```\w*\n/m)
      const embedded = blocks.some((block) => block.startsWith(read(`examples/${file}`)))
      assert.isTrue(embedded)
    })

    test(`serves examples/${file} unchanged`, async ({ assert }) => {
      const response = await fetch(`${testBaseUrl()}/docs/examples/${file}`)
      assert.equal(response.status, 200)
      assert.equal(await response.text(), read(`examples/${file}`))
    })
  }

  test('serves no file but the examples', async ({ assert }) => {
    for (const file of ['guide.md', '..%2Fguide.md', '']) {
      const { status } = await fetch(`${testBaseUrl()}/docs/examples/${file}`)
      assert.equal(status, 404)
    }
  })
})

/** Answers the first request with 408, and every other one with a refusal that no repeat can mend. */
async function startImpatientServer() {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const [status, code] = asked.length === 1 ? [408, 'REQUEST_TIMEOUT'] : [401, 'INVALID_API_KEY']
    response.writeHead(status as number, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ error: { code, message: 'No', details: {} } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { asked, server, url: `http://127.0.0.1:${port}/api/v1/partners` }
}

test.group('Programs of the guide', () => {
  for (const file of programsNamed('first_ticket')) {
    test(`${file} repeats a call that was answered 408, and not one that was refused`, async ({
      assert,
      cleanup,
    }) => {
      const { asked, server, url } = await startImpatientServer()
      cleanup(() => {
        server.close()
      })

      const { stderr } = await runProgram(file, [], {
        PARTNER_BASE_URL: url,
        PARTNER_API_KEY: 'pk_sandbox_none',
        PARTNER_SECRET: 'sk_sandbox_none',
      })

      assert.lengthOf(asked, 2, stderr)
      assert.equal(asked[0], asked[1])
      assert.include(stderr, 'INVALID_API_KEY')
    })
      .skip(() => isMissing(file), skipReason(file))
      .timeout(60_000)
  }
})

test.group('Signature test vector', () => {
  test('has a POST and a GET request', ({ assert }) => {
    assert.deepEqual(
      vectors.map(({ method }) => method),
      ['POST', 'GET']
    )
  })

  for (const vector of vectors) {
    test(`${vector.name} has the signature that its secret gives`, ({ assert }) => {
      const { timestamp, method, uri, body, canonical_string: canonical, signature } = vector
      assert.equal([timestamp, method, uri, body].join('\n'), canonical)
      const hex = createHmac('sha256', secret).update(canonical, 'utf8').digest('hex')
      assert.equal(hex, signature)
    })

    test(`${vector.name} is the same in the guide and in the OpenAPI description`, ({ assert }) => {
      for (const text of [read('guide.md'), descriptionText]) {
        for (const part of [secret, vector.timestamp, vector.uri, vector.body, vector.signature])
          assert.include(text, part)
      }
    })
  }
})
