import { buffer } from 'node:stream/consumers'
import { unpackPart } from '#spreadsheets/reading/zip_archive'
import { readZipDirectory } from '#spreadsheets/reading/zip_archive'
import { DEFAULT_LIMITS } from '#spreadsheets/table_source'
import { SaxesParser } from 'saxes'

/** The text of each part of a zip file, by its name. */
export async function partsOf(path: string) {
  const parts = new Map<string, string>()
  for (const [name, entry] of await readZipDirectory(path, DEFAULT_LIMITS)) {
    const content = await buffer(unpackPart(path, entry))
    parts.set(name, content.toString())
  }
  return parts
}

/** The names of the elements right within the root, in order. */
export function childrenOf(xml: string) {
  const names: string[] = []
  let depth = 0
  const parser = new SaxesParser()
  parser.on('opentag', ({ name }) => {
    if (depth === 1) names.push(name)
    depth += 1
  })
  parser.on('closetag', () => {
    depth -= 1
  })
  parser.write(xml).close()
  return names
}
