import mail from '#config/mail'
import platform from '#config/platform'
import type { Server } from '#mail/settings'
import { createTransport } from 'nodemailer'

export interface Message {
  messageId: string
  /** One plain address. */
  to: string
  replyTo: string
  language: string
  subject: string
  text: string
  html: string
  attachment: { name: string; content: Buffer } | null
}

export interface Outcome {
  /** Null when the server has accepted the mail. */
  failure: string | null
  /** The server's reply, or the error of the connection. */
  serverReply: string | null
  /** True when another attempt would fail in the same way. */
  isFinal: boolean
}

const SENT: Outcome = { failure: null, serverReply: null, isFinal: false }

export const isMailOn = () => mail.server !== null

/** Whether mails leave now. In a quiet deployment they are written to the outbox and stay there. */
export const maySendMail = () => isMailOn() && !platform.isQuiet

/** The sender of all mail; null while e-mail is off. */
export const senderAddress = () => mail.from?.address ?? null

/** The machine itself, where a password may travel without TLS. */
const LOOPBACK = /^(localhost|127\.[\d.]+|::1)$/

/** Sends one mail; returns failures of the server and the network instead of throwing. E-mail must be on. */
export async function send(message: Message): Promise<Outcome> {
  const from = mail.from!
  const transport = openTransport(mail.server!)
  try {
    await transport.sendMail({
      messageId: message.messageId,
      from,
      to: { name: '', address: message.to },
      replyTo: { name: '', address: message.replyTo },
      envelope: { from: from.address, to: [message.to] },
      subject: message.subject,
      text: message.text,
      html: message.html,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': message.language },
      attachments: message.attachment
        ? [{ filename: message.attachment.name, content: message.attachment.content }]
        : [],
      signal: AbortSignal.timeout(mail.wholeMs),
    })
    return SENT
  } catch (error) {
    return outcomeOf(error as SmtpError)
  } finally {
    transport.close()
  }
}

function openTransport({ host, port, isSecure, login }: Server) {
  return createTransport({
    host,
    port,
    secure: isSecure,
    auth: login ?? undefined,
    // STARTTLS is used wherever it is offered, and required where a password is sent.
    requireTLS: !isSecure && Boolean(login) && !LOOPBACK.test(host),
    tls: { rejectUnauthorized: !mail.anyCertificate, minVersion: 'TLSv1.2' },
    connectionTimeout: mail.connectMs,
    dnsTimeout: mail.connectMs,
    greetingTimeout: mail.connectMs,
    socketTimeout: mail.silenceMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  })
}

type SmtpError = Error & { code?: string; responseCode?: number; response?: string }

const BY_CODE: Record<string, string> = {
  ETIMEDOUT: 'timeout',
  EABORT: 'timeout',
  EDNS: 'unknown_host',
  ETLS: 'tls',
}

function outcomeOf(error: SmtpError): Outcome {
  const { code = '', responseCode = 0 } = error
  const serverReply = replyOf(error)
  // A wrong password is a setting of ours that may be corrected before the last attempt.
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return { failure: 'login', serverReply, isFinal: false }
  if (responseCode >= 500) return { failure: 'refused', serverReply, isFinal: true }
  if (responseCode >= 400) return { failure: 'deferred', serverReply, isFinal: false }
  const isTls = /certificate|self-signed|TLS|SSL/i.test(error.message)
  const failure = BY_CODE[code] ?? (isTls ? 'tls' : 'connection')
  return { failure, serverReply, isFinal: false }
}

const MAX_REPLY_LENGTH = 300

/** One line without characters that PostgreSQL refuses. */
const replyOf = ({ response, message }: SmtpError) =>
  (response ?? message)
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .slice(0, MAX_REPLY_LENGTH)
    .toWellFormed()
