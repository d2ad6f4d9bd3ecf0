import type { Readable } from 'node:stream'
import { styleText } from 'node:util'

const NAME_WIDTH = 8
// Colours stay; sequences that move the cursor or clear lines would erase the output of other processes.
const CURSOR_CONTROL = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-ln-z]`, 'g')

/** Prints a line of our own, labelled to distinguish it from the output of child processes. */
export function log(text: string) {
  writeTo(process.stdout, `${label('start-up', 'cyan')} ${text}\n`)
}

export function logError(text: string) {
  writeTo(process.stderr, `${label('start-up', 'red')} ${text}\n`)
}

/** Copies a stream line by line, so that two processes never share a line. */
export function writeLines(
  name: string,
  source: Readable,
  target: NodeJS.WriteStream,
  onLine?: (line: string) => void
) {
  let rest = ''
  source.setEncoding('utf8')
  source.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      writeLine(line)
    }
  })
  source.on('end', () => rest && writeLine(rest))

  function writeLine(raw: string) {
    const line = raw.replace(CURSOR_CONTROL, '')
    onLine?.(line)
    writeTo(target, `${label(name, 'dim')} ${line}\n`)
  }
}

function label(name: string, style: 'cyan' | 'red' | 'dim') {
  return styleText(style, `${name.padEnd(NAME_WIDTH)} |`)
}

function writeTo(stream: NodeJS.WriteStream, text: string) {
  if (stream.writable) {
    stream.write(text)
  }
}
