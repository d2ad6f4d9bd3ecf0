import { createCanvas } from '@napi-rs/canvas'
import { test } from '@japa/runner'
import jsqrModule from 'jsqr'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { checkCodeOf } from '#tickets/check_code'
import type { PrintedTicket } from '#tickets/pdf/printed_ticket'
import { renderTicketPdf } from '#tickets/pdf/ticket_pdf'
import { qrMatrix } from '#tickets/pdf/ticket_qr'

/** The package is the function itself, whatever its types say. */
const jsqr = jsqrModule as unknown as typeof jsqrModule.default

const MM_PER_POINT = 25.4 / 72
const PIXELS_PER_POINT = 2.5

/** As long as a real one, with long runs of digits that would tempt an encoder to switch modes. */
const TOKEN = `eyJhbGciOiJFUzI1NiJ9.${'eyJ0a3QiOiIwMDAwMDAwMDAwMDAi_-'.repeat(14)}${'1234567890'.repeat(4)}.${'Zx9_-Q0a'.repeat(8)}`

test.group('Ticket QR', () => {
  test('contains the token alone, in one byte segment, level M', ({ assert }) => {
    const matrix = qrMatrix(TOKEN)

    assert.equal(TOKEN.length, 546)
    assert.deepEqual(matrix.modes, ['Byte'])
    assert.equal(matrix.level, 'M')
  })

  test('the symbol itself says level M', ({ assert }) => {
    const { isDark } = qrMatrix(TOKEN)

    // ISO/IEC 18004: the format information begins with the level, `00` for M, masked with `10`.
    assert.deepEqual([isDark(8, 0), isDark(8, 1)], [true, false])
  })

  test('a token of {$self} characters takes version 18, the contract’s “about 20”')
    .with([530, 545, 560])
    .run(({ assert }, length) => {
      const matrix = qrMatrix('7'.repeat(length))

      assert.equal(matrix.version, 18)
      assert.equal(matrix.size, 89)
      assert.deepEqual(matrix.modes, ['Byte'])
    })
})

test.group('Ticket PDF', () => {
  test('one A4 page, titled, in Russian, under 120 kB', async ({ assert }) => {
    const pdf = await renderTicketPdf(aTicket())
    const { pages, width, height, info } = await read(pdf)

    assert.equal(pages, 1)
    assert.closeTo(width * MM_PER_POINT, 210, 0.1)
    assert.closeTo(height * MM_PER_POINT, 297, 0.1)
    assert.equal(info.Title, 'Электронный билет ALM-TKT-004217: Әлемнің үні')
    assert.equal(info.Language, 'ru')
    assert.isBelow(pdf.length, 120_000)
  })

  test('the QR on paper is the token itself, byte mode, at least 60 mm wide', async ({
    assert,
  }) => {
    const { code } = await read(await renderTicketPdf(aTicket()))

    assert.equal(code?.data, TOKEN)
    assert.deepEqual(
      code?.chunks.map(({ type }) => type),
      ['byte']
    )
    assert.isAbove(widthOf(code!) * MM_PER_POINT, 60)
  })

  test('title, venue and labels are in three languages', async ({ assert }) => {
    const { text } = await read(await renderTicketPdf(aTicket()))

    assert.include(text, 'Әлемнің үні')
    assert.include(text, 'Ғажайып қоңыр күз һәм іңір өлеңі: ұлы дала')
    assert.include(text, 'The Sound of the World')
    assert.include(text, 'Қазақконцерт, Үлкен зал')
    assert.include(text, 'Kazakhconcert, Main Hall')
    assert.include(text, 'Место · Орын · Seat')
    assert.include(text, 'Кіреберісте QR-кодты телефон')
  })

  test('a missing language falls back to Russian', async ({ assert }) => {
    const ticket = aTicket({ title: { ru: 'Щелкунчик' }, hallName: { ru: 'Малый зал', kk: '' } })
    const { text } = await read(await renderTicketPdf(ticket))

    assert.equal(text.split('Щелкунчик').length, 2)
    assert.include(text, 'Қазақконцерт, Малый зал')
    assert.notMatch(text, /undefined|null/)
  })

  test('shows sector, row, seat, price, order, age rating and number', async ({ assert }) => {
    const { lines } = await read(await renderTicketPdf(aTicket()))

    assert.includeMembers(lines, ['Партер', 'Stalls', '14', '27', '12+'])
    assert.includeMembers(lines, ['12 500 ₸', 'ALM-2026-000981', 'ALM-TKT-004217'])
  })

  test('the check code is next to the number, with its name in three languages', async ({
    assert,
  }) => {
    const { lines } = await read(await renderTicketPdf(aTicket()))

    assert.includeMembers(lines, [checkCodeOf(TOKEN), 'Код проверки · Тексеру коды · Check code'])
  })

  test('a void ticket has no check code, even with a token', async ({ assert }) => {
    const { text } = await read(await renderTicketPdf(aTicket({ status: 'void' })))

    assert.notInclude(text, checkCodeOf(TOKEN))
    assert.notInclude(text, 'Check code')
  })

  test('the longest number stays complete next to the check code', async ({ assert }) => {
    const number = 'ABCDEFGHIJ-TKT-123456789012345'
    const { lines, collisions, strays } = await read(await renderTicketPdf(aTicket({ number })))

    assert.includeMembers(lines, [number, checkCodeOf(TOKEN)])
    assert.isEmpty(collisions)
    assert.isEmpty(strays)
  })

  test('has no badge without an age rating', async ({ assert }) => {
    const { lines } = await read(await renderTicketPdf(aTicket({ ageRating: null })))

    assert.notInclude(lines, '12+')
  })

  test('{0} tenge is printed as {1}')
    .with([
      [0n, '0 ₸'],
      [900n, '900 ₸'],
      [1_000n, '1 000 ₸'],
      [1_234_567n, '1 234 567 ₸'],
    ] as [bigint, string][])
    .run(async ({ assert }, [priceTenge, printed]) => {
      const { lines } = await read(await renderTicketPdf(aTicket({ priceTenge })))

      assert.include(lines, printed)
    })

  test('shows the venue’s time, UTC+5', async ({ assert }) => {
    const ticket = aTicket({ startsAt: new Date('2026-11-14T20:30:00Z') })
    const { text, lines } = await read(await renderTicketPdf(ticket))

    assert.includeMembers(lines, ['01:30', 'UTC+5', 'Воскресенье, 15 ноября 2026 г.'])
    assert.include(text, '2026 ж. 15 қараша, жексенбі')
    assert.include(text, 'Sunday, 15 November 2026')
  })

  test('a voided ticket is marked and has no QR, even with a token', async ({ assert }) => {
    const { text, code } = await read(await renderTicketPdf(aTicket({ status: 'void' })))

    assert.isNull(code)
    assert.include(text, 'АННУЛИРОВАН')
    assert.include(text, 'ЖОЙЫЛҒАН · VOID')
    assert.include(text, 'ALM-TKT-004217')
    assert.notInclude(text, 'Предъявите')
  })

  test('a ticket without a token is a voided one', async ({ assert }) => {
    const { text, code } = await read(await renderTicketPdf(aTicket({ qrToken: null })))

    assert.isNull(code)
    assert.include(text, 'АННУЛИРОВАН')
  })

  test('a ticket that is {status} is stamped and keeps its QR')
    .with([
      { status: 'used', stamp: 'ИСПОЛЬЗОВАН · ПАЙДАЛАНЫЛҒАН · USED' },
      { status: 'expired', stamp: 'СРОК ИСТЁК · МЕРЗІМІ ӨТКЕН · EXPIRED' },
    ] as const)
    .run(async ({ assert }, { status, stamp }) => {
      const { lines, code } = await read(await renderTicketPdf(aTicket({ status })))

      assert.include(lines, stamp)
      assert.equal(code?.data, TOKEN)
    })

  test('an active ticket has no stamp', async ({ assert }) => {
    const { text } = await read(await renderTicketPdf(aTicket()))

    assert.notMatch(text, /АННУЛИРОВАН|ИСПОЛЬЗОВАН|СРОК ИСТЁК/)
  })

  test('long texts {name} stay within their boxes')
    .with([
      { name: 'with spaces', long: 'Большой фестиваль '.repeat(12).slice(0, 200) },
      { name: 'without spaces', long: 'Щ'.repeat(200) },
    ])
    .run(async ({ assert }, { long }) => {
      const text = { ru: long, kk: `Ң${long}`.slice(0, 200), en: `W${long}`.slice(0, 200) }
      const names = { title: text, venueName: text, hallName: text, sectorName: text }
      const ticket = aTicket({ ...names, rowLabel: long, seatLabel: long, status: 'used' })
      const { pages, code, strays, collisions } = await read(await renderTicketPdf(ticket))

      assert.equal(pages, 1)
      assert.equal(code?.data, TOKEN)
      assert.isEmpty(strays)
      assert.isEmpty(collisions)
    })

  test('a title of 200 characters is printed in full', async ({ assert }) => {
    const ru = 'Концерт камерной музыки '.repeat(9).slice(0, 200).trim()
    const { text } = await read(await renderTicketPdf(aTicket({ title: { ru } })))

    assert.include(text.replace(/\s+/g, ' '), ru)
  })

  test('control characters, emoji and half surrogate pairs are left out', async ({ assert }) => {
    const ru = 'Қуаныш 🎉👨‍👩‍👧 праз\u0000дник\r\n🇰🇿 ❤️ 1️⃣ № 5 \ud800 и\u0306од\u200f'
    const ticket = aTicket({ title: { ru, kk: '🎉', en: '' }, rowLabel: '', seatLabel: '\u0007' })
    const { pages, lines } = await read(await renderTicketPdf(ticket))

    assert.equal(pages, 1)
    assert.include(lines, 'Қуаныш праздник 1 № 5 йод')
    assert.lengthOf(
      lines.filter((line) => line === '—'),
      2
    )
  })

  test('the same ticket has the same bytes', async ({ assert }) => {
    const [first, second] = await Promise.all([
      renderTicketPdf(aTicket()),
      renderTicketPdf(aTicket()),
    ])

    assert.isTrue(first.equals(second))
  })
})

function aTicket(changes: Partial<PrintedTicket> = {}): PrintedTicket {
  return {
    number: 'ALM-TKT-004217',
    status: 'active',
    title: {
      ru: 'Әлемнің үні',
      kk: 'Ғажайып қоңыр күз һәм іңір өлеңі: ұлы дала',
      en: 'The Sound of the World',
    },
    venueName: { ru: 'Казахконцерт', kk: 'Қазақконцерт', en: 'Kazakhconcert' },
    hallName: { ru: 'Большой зал', kk: 'Үлкен зал', en: 'Main Hall' },
    sectorName: { ru: 'Партер', kk: 'Партер', en: 'Stalls' },
    rowLabel: '14',
    seatLabel: '27',
    startsAt: new Date('2026-11-14T14:00:00Z'),
    ageRating: '12+',
    priceTenge: 12_500n,
    qrToken: TOKEN,
    orderId: 'ALM-2026-000981',
    ...changes,
  }
}

/** What a reader, a scanner and a ruler find in the file. */
async function read(pdf: Buffer) {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise
  const page = await document.getPage(1)
  const { width, height } = page.getViewport({ scale: 1 })
  const { info } = (await document.getMetadata()) as { info: Record<string, string> }
  const content = await page.getTextContent()
  const items = content.items.filter((item) => 'str' in item)
  const words = items.filter(({ str }) => str.trim() !== '')

  const found = {
    pages: document.numPages,
    width,
    height,
    info,
    text: items.map(({ str, hasEOL }) => (hasEOL ? `${str} ` : str)).join(''),
    lines: items.map(({ str }) => str.trim()),
    strays: words.filter((word) => !isInside(word, width, height)),
    collisions: words.filter((word) => words.some((other) => collides(word, other))),
    code: await scan(page),
  }
  await document.loadingTask.destroy()
  return found
}

interface Placed {
  transform: number[]
  width: number
}

/** Within the 12 mm side margins, less a hair for rounding, and on the page. */
function isInside({ transform, width: length }: Placed, width: number, height: number) {
  const [x, y] = transform.slice(4)
  const margin = 11.99 / MM_PER_POINT
  return x >= margin && x + length <= width - margin && y >= 0 && y <= height
}

/** Begins inside another text of the same line, or on a line less than 5 points from it. */
function collides(word: Placed, other: Placed) {
  const [x, y] = word.transform.slice(4)
  const [left, baseline] = other.transform.slice(4)
  return word !== other && Math.abs(y - baseline) < 5 && x >= left && x < left + other.width
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocument>['promise']>['getPage']>>

async function scan(page: Page) {
  const viewport = page.getViewport({ scale: PIXELS_PER_POINT })
  const canvas = createCanvas(Math.ceil(viewport.width), Math.ceil(viewport.height))
  await page.render({ canvas: canvas as never, viewport }).promise
  const { data, width, height } = canvas
    .getContext('2d')
    .getImageData(0, 0, canvas.width, canvas.height)
  const code = jsqr(data, width, height)
  // Where there is none, jsQR may take three corners of text for one that holds nothing.
  return code?.data ? code : null
}

function widthOf({ location }: NonNullable<ReturnType<typeof jsqr>>) {
  const { topLeftCorner, topRightCorner } = location
  return (topRightCorner.x - topLeftCorner.x) / PIXELS_PER_POINT
}
