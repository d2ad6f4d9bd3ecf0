import { posix } from 'node:path'
import { unpackPart } from '#spreadsheets/reading/zip_archive'
import { readXml } from '#spreadsheets/reading/xml'
import type { ZipDirectory } from '#spreadsheets/reading/zip_archive'
import { UnreadableTable } from '#spreadsheets/unreadable_table'

export interface Package {
  path: string
  directory: ZipDirectory
}

interface SheetPart {
  name: string
  part: string
  isHidden: boolean
}

export interface WorkbookParts {
  sheets: SheetPart[]
  styles: string | undefined
  sharedStrings: string | undefined
  /** Days are counted from 1904, as old Macs did. */
  countsFrom1904: boolean
}

interface Relationship {
  type: string
  target: string
}

/** Parts that hold macros or ActiveX controls. */
const PROGRAMS = /vbaproject\.bin$|(^|\/)macrosheets\/|(^|\/)activex\//i

/** Finds the parts of a workbook by its relationships; external targets are ignored. */
export async function findParts(pack: Package): Promise<WorkbookParts> {
  const names = [...pack.directory.keys()]
  if (names.some((name) => PROGRAMS.test(name))) throw new UnreadableTable('macros')
  const root = await relationshipsOf(pack, '')
  const workbook = ofType(root, 'officeDocument')
  if (!workbook || !workbook.endsWith('.xml')) throw new UnreadableTable('not_a_workbook')
  const related = await relationshipsOf(pack, workbook)
  return {
    ...(await readBook(pack, workbook, related)),
    styles: ofType(related, 'styles'),
    sharedStrings: ofType(related, 'sharedStrings'),
  }
}

/** The bytes of a part, unpacked in pieces. Throws `UnreadableTable` when there is no such part. */
export function partOf({ path, directory }: Package, name: string) {
  const entry = directory.get(name)
  if (!entry) throw new UnreadableTable('not_a_workbook')
  return unpackPart(path, entry)
}

async function readBook(pack: Package, part: string, related: Map<string, Relationship>) {
  const sheets: SheetPart[] = []
  let countsFrom1904 = false
  let isWorkbook = false
  await readXml(partOf(pack, part), {
    open(name, attributes) {
      if (name === 'workbook') isWorkbook = true
      if (name === 'workbookPr') countsFrom1904 = isTrue(attributes.date1904)
      if (name !== 'sheet') return
      const relation = related.get(relationId(attributes))
      if (!relation?.type.endsWith('/worksheet')) return
      const isHidden = (attributes.state ?? 'visible') !== 'visible'
      sheets.push({ name: attributes.name ?? '', part: relation.target, isHidden })
    },
    close() {},
  })
  if (!isWorkbook) throw new UnreadableTable('not_a_workbook')
  return { sheets, countsFrom1904 }
}

/** The attribute's namespace prefix varies. */
function relationId(attributes: Record<string, string>) {
  const key = Object.keys(attributes).find((name) => /:id$/.test(name))
  return key === undefined ? '' : attributes[key]
}

async function relationshipsOf(pack: Package, part: string) {
  const folder = posix.dirname(part)
  const file = posix.join(folder, '_rels', `${posix.basename(part)}.rels`)
  const found = new Map<string, Relationship>()
  if (!pack.directory.has(file)) return found
  await readXml(partOf(pack, file), {
    open(name, { Id, Type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || !Id || TargetMode === 'External') return
      const target = Target.replaceAll('\\', '/')
      const whole = target.startsWith('/') ? target : posix.join(folder, target)
      found.set(Id, { type: Type, target: posix.normalize(whole).replace(/^\/+/, '') })
    },
    close() {},
  })
  return found
}

function ofType(relationships: Map<string, Relationship>, type: string) {
  return [...relationships.values()].find((one) => one.type.endsWith(`/${type}`))?.target
}

function isTrue(value: string | undefined) {
  return value === '1' || value === 'true'
}
