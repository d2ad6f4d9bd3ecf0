import type { PrintedTicket } from '#tickets/pdf/printed_ticket'
import { renderTicketPdf } from '#tickets/pdf/ticket_pdf'
import { toJson } from '#shared/to_json'
import { createHash } from 'node:crypto'

const SAMPLE: PrintedTicket = {
  number: 'TIX-TKT-000001',
  status: 'active',
  title: { ru: 'Концерт', kk: 'Концерт кеші', en: 'Concert' },
  venueName: { ru: 'Дворец' },
  hallName: { ru: 'Большой зал' },
  sectorName: { ru: 'Партер' },
  rowLabel: '1',
  seatLabel: '1',
  startsAt: new Date(0),
  ageRating: '12+',
  priceTenge: 12_500n,
  qrToken: 'sample',
  orderId: 'TIX-2026-000001',
}

let layout: Promise<string> | undefined

/**
 * The version (ETag) of a ticket's PDF: a hash of the printed data and of sample PDFs. The samples make it change with
 * every change of the layout or its words.
 */
export async function ticketPdfVersion(ticket: PrintedTicket): Promise<string> {
  layout ??= layoutVersion().catch((error: unknown) => {
    layout = undefined
    throw error
  })
  return digestOf([await layout, toJson(ticket)])
}

async function layoutVersion() {
  const voided = { ...SAMPLE, status: 'void', qrToken: null } as const
  const used = { ...SAMPLE, status: 'used' } as const
  const expired = { ...SAMPLE, status: 'expired' } as const
  return digestOf(await Promise.all([SAMPLE, voided, used, expired].map(renderTicketPdf)))
}

function digestOf(parts: (string | Buffer)[]) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64url')
}
