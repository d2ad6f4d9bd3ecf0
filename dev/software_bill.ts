import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { log, logError } from './output.ts'
import { root } from './paths.ts'

const execute = promisify(execFile)
const MAX_BYTES = 64 * 1024 * 1024
/** Advisories of these severities fail the check; the others are printed. */
const FAILING = ['high', 'critical'] as const

/** Packages that build, check or test, and that no deployment has. */
export const DEVELOPMENT_PACKAGES = [
  'typescript',
  'playwright',
  'esbuild',
  '@japa/runner',
  'vite',
  'rolldown',
  'lightningcss',
]
/** Only the development server and the build import it. */
const NEEDLESS_PEERS = ['vite, a peer of @adonisjs/vite']

export interface Manifest {
  name: string
  version: string
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface Component {
  'bom-ref': string
  'name': string
  'version': string
  'purl'?: string
  'hashes'?: { alg: string; content: string }[]
}
export interface SoftwareBill {
  bomFormat: string
  specVersion: string
  metadata: { component: { 'name': string; 'bom-ref': string } }
  components: Component[]
  dependencies: { ref: string; dependsOn?: string[] }[]
}

/**
 * Writes the software bill of materials (CycloneDX) of a deployment, `sbom.cdx.json`, next to its dependencies and to
 * `tmp/`, compares it with what is installed there, and asks the registry for advisories. Returns the exit code.
 */
export async function checkDependencies(directory: string): Promise<number> {
  const bill = await describe(directory)
  const text = `${JSON.stringify(bill, null, 2)}\n`
  await writeFile(join(directory, 'sbom.cdx.json'), text)
  await writeFile(join(root, 'tmp/sbom.cdx.json'), text)
  const installed = manifestsIn(directory)
  const problems = [...problemsOf(bill, installed.map(nameAndVersion)), ...wrongPackages(installed)]
  for (const problem of problems) logError(problem)
  if (problems.length === 0) log(`${bill.components.length} packages, all in tmp/sbom.cdx.json`)
  const isAdvised = await hasAdvisories(directory)
  return problems.length > 0 || isAdvised ? 1 : 0
}

/** npm describes nothing while development packages of package.json are missing, so it sees it without them. */
async function describe(directory: string): Promise<SoftwareBill> {
  const path = join(directory, 'package.json')
  const original = await readFile(path, 'utf8')
  const manifest = JSON.parse(original) as { name: string; devDependencies?: object }
  delete manifest.devDependencies
  await writeFile(path, JSON.stringify(manifest))
  try {
    const options = [
      'sbom',
      '--sbom-format',
      'cyclonedx',
      '--sbom-type',
      'application',
      '--legacy-peer-deps',
    ]
    const { stdout } = await execute('npm', options, { cwd: directory, maxBuffer: MAX_BYTES })
    const bill = JSON.parse(stdout) as SoftwareBill
    // npm names it after the folder.
    bill.metadata.component.name = manifest.name
    return bill
  } finally {
    await writeFile(path, original)
  }
}

function manifestsIn(directory: string): Manifest[] {
  const manifests = ['**/node_modules/*/package.json', '**/node_modules/@*/*/package.json']
  return globSync(manifests, { cwd: directory }).map(
    (path) => JSON.parse(readFileSync(join(directory, path), 'utf8')) as Manifest
  )
}

const nameAndVersion = ({ name, version }: Manifest) => `${name}@${version}`

/**
 * Packages for development that are installed, and peers that are missing: `npm ci --legacy-peer-deps` installs of those only what
 * package.json names.
 */
export function wrongPackages(installed: Manifest[]): string[] {
  const names = new Set(installed.map(({ name }) => name))
  const missing = installed.flatMap(({ name, peerDependencies, peerDependenciesMeta }) =>
    Object.keys(peerDependencies ?? {})
      .filter((peer) => !names.has(peer) && !peerDependenciesMeta?.[peer]?.optional)
      .map((peer) => `${peer}, a peer of ${name}`)
  )
  return [
    ...DEVELOPMENT_PACKAGES.filter((name) => names.has(name)).map(
      (name) => `${name} is for development, and installed`
    ),
    ...missing
      .filter((peer) => !NEEDLESS_PEERS.includes(peer))
      .map((peer) => `${peer}, is not installed: package.json must name it`),
  ]
}

/** What is wrong with a bill: packages too few or too many, packages without an origin or a hash, broken references. */
export function problemsOf(bill: SoftwareBill, installed: string[]): string[] {
  const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`))
  const present = new Set(installed)
  const refs = new Set([
    bill.metadata.component['bom-ref'],
    ...bill.components.map((component) => component['bom-ref']),
  ])
  const pointed = bill.dependencies.flatMap(({ ref, dependsOn = [] }) => [ref, ...dependsOn])
  const problems = [
    bill.bomFormat !== 'CycloneDX' && `The bill is not CycloneDX: ${bill.bomFormat}`,
    present.size === 0 && 'Nothing is installed',
    refs.size !== bill.components.length + 1 && 'Two packages of the bill have the same reference',
    ...[...present].filter((one) => !listed.has(one)).map((one) => `${one} is not in the bill`),
    ...[...listed].filter((one) => !present.has(one)).map((one) => `${one} is not installed`),
    ...pointed.filter((ref) => !refs.has(ref)).map((ref) => `${ref} is referred to and missing`),
    ...bill.components
      .filter(({ purl, hashes = [] }) => !purl?.startsWith('pkg:npm/') || hashes.length === 0)
      .map(({ name }) => `${name} has no origin or no hash`),
  ]
  return problems.filter((problem) => problem !== false)
}

interface Audit {
  metadata?: { vulnerabilities: Record<string, number> }
  vulnerabilities?: Record<string, { severity: string }>
  message?: string
}

/** Whether the registry knows of advisories that fail the check. Says so when it does not answer. */
async function hasAdvisories(directory: string): Promise<boolean> {
  const options = ['audit', '--omit=dev', '--omit=optional', '--legacy-peer-deps', '--json']
  const { stdout } = await execute('npm', options, { cwd: directory, maxBuffer: MAX_BYTES }).catch(
    // It exits with 1 when it has found something, and when the registry did not answer.
    (error: { stdout: string }) => error
  )
  const audit = readAudit(stdout)
  const { vulnerabilities: counts } = audit.metadata ?? {}
  if (!counts) {
    logError(`Advisories were NOT checked: ${audit.message ?? 'the registry did not answer'}`)
    return false
  }
  const found = Object.entries(audit.vulnerabilities ?? {})
  for (const [name, { severity }] of found) logError(`${name}: an advisory, ${severity}`)
  if (found.length === 0) log('The registry knows no advisory for them')
  return isFailing(counts)
}

export const isFailing = (counts: Record<string, number>) =>
  FAILING.some((severity) => (counts[severity] ?? 0) > 0)

function readAudit(text: string): Audit {
  try {
    return JSON.parse(text) as Audit
  } catch {
    return {}
  }
}
