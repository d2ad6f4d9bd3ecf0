import ipaddr from 'ipaddr.js'
import { createSocket } from 'node:dgram'
import dns from 'node:dns'
import { once } from 'node:events'

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' }
const NO_ERROR = 0x8180
const NO_SUCH_NAME = 0x8183

export interface Question {
  name: string
  type: 'A' | 'AAAA'
  /** How often this was asked before. */
  before: number
}

/** Addresses of any family, null for no such name, undefined to keep silent. */
type Answers = (question: Question) => string[] | null | undefined

/** A name server on loopback that this process asks until it is closed. */
export async function aNameServer(answers: Answers) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = readQuestion(query)
    const key = `${type} ${name}`
    const found = answers({ name, type, before: asked.filter((each) => each === key).length })
    asked.push(key)
    if (found === undefined) return
    socket.send(compose(query.subarray(0, end), type, found), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const usual = dns.getServers()
  dns.setServers([`127.0.0.1:${socket.address().port}`])
  const close = () => {
    dns.setServers(usual)
    socket.close()
  }
  return { asked, close }
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  while (query[at] > 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]))
    at += query[at] + 1
  }
  return { name: labels.join('.'), type: TYPES[query.readUInt16BE(at + 1)], end: at + 5 }
}

/** RFC 1035, 4.1: header, the question again, and an address in each answer. */
function compose(question: Buffer, type: Question['type'], found: string[] | null) {
  const kind = type === 'A' ? 'ipv4' : 'ipv6'
  const addresses = (found ?? []).map((text) => ipaddr.parse(text))
  const records = addresses.filter((address) => address.kind() === kind)
  const head = Buffer.from(question)
  head.writeUInt16BE(found === null ? NO_SUCH_NAME : NO_ERROR, 2)
  head.writeUInt16BE(records.length, 6)
  // Of what follows the question in the query nothing is repeated.
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...records.map((address) => recordOf(address.toByteArray()))])
}

function recordOf(address: number[]) {
  const type = address.length === 4 ? 1 : 28
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address])
}
