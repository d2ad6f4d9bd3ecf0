import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The least that a server of Node can do with a request: how fast this machine is at the moment. */
const server = createServer((_, response) => {
  response.writeHead(401, { 'Content-Type': 'application/json' })
  response.end('{"error":{"code":"UNAUTHORIZED","message":"","details":{}}}')
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
