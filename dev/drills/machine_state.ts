import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { commandLineOf } from '../process_records.ts'

const NAMESPACES = '/run/netns'
const INTERFACES = '/sys/class/net'

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

/** Mounts, network namespaces and interfaces of this machine, which outlive the process that made them. */
export function machineState(): string[] {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n').filter(Boolean)
  return [
    ...mounts.map((line) => `mount ${line.split(' ')[1]}`),
    ...namesIn(NAMESPACES).map((name) => `network namespace ${name}`),
    ...namesIn(INTERFACES).map((name) => `interface ${name}`),
  ]
}

/** Other processes whose command, environment, working directory or open files name the directory. */
export function processesOf(directory: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && usesDirectory(pid, directory))
    .map((pid) => `process ${pid} ${commandLineOf(pid).trim()}`)
}

/** A child of PostgreSQL or nginx has neither the command nor the environment of its parent, but its log and directory. */
function usesDirectory(pid: number, directory: string) {
  const at = `/proc/${pid}`
  try {
    const files = readdirSync(`${at}/fd`).map((name) => targetOf(`${at}/fd/${name}`))
    const environment = readFileSync(`${at}/environ`, 'utf8')
    const texts = [commandLineOf(pid), environment, targetOf(`${at}/cwd`), ...files]
    return texts.some((text) => text.includes(directory))
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return false
  }
}

function targetOf(link: string) {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
