import platform from '#config/platform'
import { answerAs } from '#http/answer_policy'
import { sendBytes } from '#http/send_bytes'
import { hasVersion } from '#http/version'
import { findPrintedTicket } from '#tickets/queries/find_printed_ticket'
import { recordOpening } from '#tickets/actions/record_opening'
import { isLinkExpired, isTicketLink } from '#tickets/ticket_link'
import { renderTicketPdf } from '#tickets/pdf/ticket_pdf'
import { ticketPdfVersion } from '#tickets/pdf/ticket_pdf_version'
import { addressGroup } from '#shared/addresses'
import { isId } from '#shared/public_id'
import { logRepeated } from '#shared/repeated_log'
import { enter } from '#shared/rate_limit'
import type { HttpContext } from '@adonisjs/core/http'

// prettier-ignore
const PROBLEMS = {
  404: ['Билет не найден', 'Билет табылмады', 'No such ticket'],
  410: ['Ссылка больше не действует', 'Сілтеме енді жарамсыз', 'This link has expired'],
  429: ['Слишком много запросов, попробуйте через минуту', 'Сұраныс тым көп, бір минуттан кейін қайталаңыз', 'Too many requests, try again in a minute'],
} as const

/** The buyer's PDF behind a signed link, without a session; it shows the current state of the ticket. */
export default class TicketPdfsController {
  async show(ctx: HttpContext) {
    const { logger, request, response, params } = ctx
    answerAs('pdf', response.response)
    const admission = await enter({
      key: `pdf:${addressGroup(request.ip())}`,
      perMinute: platform.pdfPerMinute,
    })
    response.header('X-RateLimit-Limit', admission.limit)
    response.header('X-RateLimit-Remaining', admission.remaining)
    response.header('X-RateLimit-Reset', admission.resetAt)
    if (admission.refusedBy) {
      response.header('Retry-After', admission.retryAfterSeconds)
      return sendProblemPage(response, 429)
    }

    const ticketId = String(params.file).replace(/\.pdf$/, '')
    const { signature } = request.qs()
    const isOurs =
      isId('tkt', ticketId) && typeof signature === 'string' && isTicketLink(ticketId, signature)
    const found = isOurs ? await findPrintedTicket(ticketId) : undefined
    if (!found) return sendProblemPage(response, 404)
    if (isLinkExpired(found.eventEndsAt)) return sendProblemPage(response, 410)

    // Not awaited: the buyer's file comes first.
    recordOpening(ticketId).catch((error: unknown) =>
      logRepeated(logger, 'warn', 'an opened ticket could not be recorded', error)
    )
    response.header('Content-Type', 'application/pdf')
    response.header('Content-Disposition', `inline; filename="${found.ticket.number}.pdf"`)
    const etag = `"${await ticketPdfVersion(found.ticket)}"`
    // No PDF is rendered when the client has this version.
    if (hasVersion(ctx, etag)) return response.send(null)
    return sendBytes(ctx, await renderTicketPdf(found.ticket), etag)
  }
}

function sendProblemPage(response: HttpContext['response'], status: keyof typeof PROBLEMS) {
  response.status(status).header('Content-Type', 'text/html; charset=utf-8')
  const lines = PROBLEMS[status].map((line, i) => `<p lang="${['ru', 'kk', 'en'][i]}">${line}</p>`)
  return response.send(
    `<!doctype html><html lang="ru" style="color-scheme:light dark"><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width"><title>${PROBLEMS[status][0]}</title>` +
      `<body style="font:18px/1.5 system-ui;max-width:32rem;margin:20vh auto;padding:0 1rem;text-align:center">` +
      `${lines.join('')}</body></html>`
  )
}
