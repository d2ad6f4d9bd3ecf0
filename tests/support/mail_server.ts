import mail from '#config/mail'
import { readSender, readServer } from '#mail/settings'
import { parseMail, type ParsedMail } from '#tests/support/mime'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Arrived extends ParsedMail {
  from: string
  to: string[]
  isSecure: boolean
  user: string | undefined
  raw: string
}

/** Mail comes from here in tests. */
export const FROM = '"Расчёты, платформа" <settlement@platform.test>'
const QUICK = { connectMs: 700, silenceMs: 700, wholeMs: 5_000, anyCertificate: false }
const OFF = { ...mail }

/** E-mail goes to this address until `mailOff`. */
export const mailTo = (url: string, more: Partial<typeof mail> = {}) =>
  Object.assign(mail, { server: readServer(url), from: readSender(FROM), ...QUICK, ...more })
export const mailOff = () => void Object.assign(mail, OFF)

/** A real mail server that answers the first mails with the given codes and accepts all others. */
export async function aMailServer(
  options: SMTPServerOptions = {},
  answers: (number | 'dropped')[] = []
) {
  const arrived: Arrived[] = []
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: !options.key,
    disableReverseLookup: true,
    onData(stream, session, done) {
      const answer = answers.shift()
      if (answer === 'dropped') {
        for (const connection of server.connections)
          (connection as unknown as { _socket: Socket })._socket.destroy()
        return
      }
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (answer) {
          done(
            Object.assign(new Error(`no, <${session.envelope.rcptTo[0].address}>`), {
              responseCode: answer,
            })
          )
          return
        }
        const raw = Buffer.concat(chunks).toString('latin1')
        const { mailFrom, rcptTo } = session.envelope
        arrived.push({
          ...parseMail(raw),
          raw,
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          isSecure: session.secure,
          user: session.user as string | undefined,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { arrived, port, url: `smtp://127.0.0.1:${port}`, close }
}

/** Takes the connection and never says a word. */
export async function aSilentServer() {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: `smtp://127.0.0.1:${port}`, close }
}
