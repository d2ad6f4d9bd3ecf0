import { crc32, deflateRawSync } from 'node:zlib'

export interface Part {
  name: string
  content: string | Buffer
  /** What the directory says instead of the truth. */
  declaredBytes?: number
  isEncrypted?: boolean
  /** Its check sum is that of another content. */
  hasWrongSum?: boolean
  /** Its bytes are those of the first part, which has the same content. */
  isAtFirst?: boolean
}

/** A zip file of these parts, with whatever lies a test needs. */
export function zipOf(parts: Part[]): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const part of parts) {
    const { local, central } = recordsOf(part, part.isAtFirst ? 0 : offset)
    directory.push(central)
    if (part.isAtFirst) continue
    files.push(local)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  return Buffer.concat([...files, listing, endOf(parts.length, listing.length, offset)])
}

function recordsOf(
  { name, content, declaredBytes, isEncrypted, hasWrongSum }: Part,
  offset: number
) {
  const bytes = Buffer.from(content)
  const packed = deflateRawSync(bytes)
  const title = Buffer.from(name)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(isEncrypted ? 1 : 0, 2)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(hasWrongSum ? '' : bytes), 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(declaredBytes ?? bytes.length, 18)
  common.writeUInt16LE(title.length, 22)
  const place = Buffer.alloc(14)
  place.writeUInt32LE(offset, 10)
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04'), common, title, packed]),
    central: Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, place, title]),
  }
}

function endOf(count: number, length: number, offset: number) {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
