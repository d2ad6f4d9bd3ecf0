import { readFileSync } from 'node:fs'

/** The compiled file keeps its place under the application root, so the path holds in a build. */
const FONTS = new URL('../../resources/tickets/fonts/', import.meta.url)
const REGULAR = readFileSync(new URL('GolosText-Regular.ttf', FONTS))
const BOLD = readFileSync(new URL('GolosText-Bold.ttf', FONTS))

/** Registers `regular` and `bold`, which have Cyrillic and the Kazakh letters. */
export const registerFonts = (doc: PDFKit.PDFDocument) =>
  doc.registerFont('regular', REGULAR).registerFont('bold', BOLD)
