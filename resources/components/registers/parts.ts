import { placeOfLine, type NumberedPart } from '#reconciliation/store/place_of_line'
import { inject, provide, type InjectionKey } from 'vue'
import { t } from '~/texts/texts'

/** `sheet “Refunds”` or `file b.xlsx`; a number behind it where several parts are called so. */
export function partName(part: NumberedPart, parts: readonly NumberedPart[]): string {
  const isOneFile = parts.every(({ fileName }) => fileName === part.fileName)
  const namesakes = parts.filter(
    ({ fileName, sheet }) => fileName === part.fileName && sheet === part.sheet
  )
  const name = nameOf(part, isOneFile)
  return namesakes.length > 1 ? t('registers.part_twin', { part: name, number: part.number }) : name
}

function nameOf({ fileName: file, sheet }: NumberedPart, isOneFile: boolean) {
  if (sheet === null) return t('registers.part_file', { file })
  return isOneFile
    ? t('registers.part_sheet', { sheet })
    : t('registers.part_sheet_of_file', { file, sheet })
}

/** A line as people know it: `line 12`, and of several parts `sheet “Refunds”, row 12`. */
export function placeWords(line: number, parts: readonly NumberedPart[]): string {
  if (parts.length < 2) return t('registers.line_no', { line })
  const { part, row } = placeOfLine(parts, line)
  return t('registers.row_no', { part: partName(part, parts), row })
}

const PARTS: InjectionKey<() => readonly NumberedPart[]> = Symbol('parts of the register')

/** The page of a register says once which parts it has; whatever shows a line asks `usePlaces`. */
export const provideParts = (parts: () => readonly NumberedPart[]) => provide(PARTS, parts)

export function usePlaces() {
  const parts = inject(PARTS, () => [])
  return (line: number) => placeWords(line, parts())
}
