import { refuseField } from '#shared/refusals'
import type { HttpContext } from '@adonisjs/core/http'

type Limits<Name extends string> = Record<Name, number>

/**
 * Text files of a form, each of at most so many bytes; the form's other fields are then in the request.
 * Nothing of them touches the disk. Other doors and forms take no files at all.
 */
export async function readTextFiles<Name extends string>(
  { request }: HttpContext,
  limits: Limits<Name>
): Promise<Record<Name, string>> {
  const found = new Map<string, Buffer[]>()
  const tooLarge = new Set<string>()
  if (request.bodyType === 'multipart') {
    request.multipart.onFile('*', {}, async (part) => {
      const limit = part.name in limits ? limits[part.name as Name] : 0
      const chunks: Buffer[] = []
      let size = 0
      // What is too much is read all the same, and dropped: a browser hears no answer before it has sent everything.
      for await (const chunk of part as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size <= limit) chunks.push(chunk)
      }
      if (size > limit) tooLarge.add(part.name)
      else if (size > 0) found.set(part.name, chunks)
    })
    await request.multipart.process()
  }
  const names = Object.keys(limits) as Name[]
  const texts = names.map((name) => {
    if (tooLarge.has(name)) refuseField(name, 'size', 'uploads.too_large')
    const chunks = found.get(name) ?? refuseField(name, 'required', 'uploads.choose_file')
    return [name, decode(name, Buffer.concat(chunks))]
  })
  return Object.fromEntries(texts) as Record<Name, string>
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decode(name: string, bytes: Buffer) {
  try {
    return decoder.decode(bytes)
  } catch {
    return refuseField(name, 'encoding', 'uploads.not_utf8')
  }
}
