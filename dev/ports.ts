import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'

// Below the ephemeral range, from which systems assign ports to outgoing connections.
const LOWEST = 20_000
const HIGHEST = 32_000

/** A free port, the same as at the last start unless another program has taken it. */
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

/** A random free port: processes that start at the same moment are unlikely to choose the same. */
export async function freePort(): Promise<number> {
  const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
  return (await isPortFree(port)) ? port : freePort()
}

/** Whether no program listens on the port, neither on the given address nor on either loopback address. */
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
    // An address that this machine doesn't have, such as IPv6, is free.
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}
