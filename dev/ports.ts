import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'

// Below the range from which systems lend ports to outgoing connections.
const LOWEST = 20_000
const HIGHEST = 32_000

/** A free port that stays the same from start to start as long as nobody else takes it. */
export async function rememberedPort(file: string, name: string) {
  const ports: Record<string, number> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : {}
  const known = ports[name]
  if (known && (await isPortFree(known))) {
    return known
  }
  const port = await freePort()
  writeFileSync(file, `${JSON.stringify({ ...ports, [name]: port }, null, 2)}\n`)
  return port
}

export async function freePort(): Promise<number> {
  const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
  return (await isPortFree(port)) ? port : freePort()
}

/** Nobody listens on it, neither on the given address nor on either loopback one. */
export async function isPortFree(port: number, host = '127.0.0.1') {
  for (const address of new Set([host, '127.0.0.1', '::1'])) {
    if (!(await canListen(port, address))) {
      return false
    }
  }
  return true
}

function canListen(port: number, host: string) {
  return new Promise<boolean>((resolve) => {
    const server = createServer()
    // An address that this machine doesn't have (no IPv6) is nobody's.
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
