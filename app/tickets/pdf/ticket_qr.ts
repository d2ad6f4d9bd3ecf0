import QRCode from 'qrcode'

/** A QR symbol without its quiet zone: `size` × `size` modules. */
export interface QrMatrix {
  size: number
  /** 1 to 40, the smallest that holds the token: 18 for 530 to 560 characters. */
  version: number
  level: 'L' | 'M' | 'Q' | 'H'
  modes: string[]
  isDark(row: number, column: number): boolean
}

export interface Square {
  x: number
  y: number
  /** With the quiet zone, in points. */
  side: number
}

/** Light modules on every side of the symbol, the least ISO/IEC 18004 allows. */
export const QUIET_ZONE = 4

/** The library names a level only by its two indicator bits of the format information. */
const LEVEL_OF_BITS = ['M', 'L', 'H', 'Q'] as const

/**
 * The QR symbol of a ticket: the `qr_token` itself, in byte mode, correction level M
 * (partner-api.md, Ticket). The mode is forced: left alone, the encoder would switch modes
 * inside a token that has a long run of digits.
 */
export function qrMatrix(token: string): QrMatrix {
  const segment = { mode: 'byte' as const, data: Buffer.from(token) }
  const { modules, version, errorCorrectionLevel, segments } = QRCode.create([segment], {
    errorCorrectionLevel: 'M',
  })

  return {
    size: modules.size,
    version,
    level: LEVEL_OF_BITS[errorCorrectionLevel.bit],
    modes: segments.map(({ mode }) => String(mode.id)),
    isDark: (row, column) => modules.get(row, column) === 1,
  }
}

/**
 * Draws the symbol as one vector path on a white square that includes the quiet zone. One path,
 * filled once: separate rectangles would leave hairlines between the rows on screens.
 */
export function drawQr(doc: PDFKit.PDFDocument, matrix: QrMatrix, { x, y, side }: Square) {
  doc.rect(x, y, side, side).fill('#ffffff')
  doc.save().translate(x, y)
  doc.scale(side / (matrix.size + 2 * QUIET_ZONE)).translate(QUIET_ZONE, QUIET_ZONE)
  for (const { row, column, length } of darkRuns(matrix)) doc.rect(column, row, length, 1)
  doc.fill('#000000').restore()
}

function* darkRuns({ size, isDark }: QrMatrix) {
  for (let row = 0; row < size; row++) {
    let start = 0
    for (let column = 0; column <= size; column++) {
      if (column < size && isDark(row, column)) continue
      if (column > start) yield { row, column: start, length: column - start }
      start = column + 1
    }
  }
}
