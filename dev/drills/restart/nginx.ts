import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { root } from '../../paths.ts'
import { poll } from '../../poll.ts'
import { freePort } from '../../ports.ts'
import { findProgram } from '../../programs.ts'
import { logTail } from '../../readiness.ts'
import { StartUpError } from '../../start_up_error.ts'
import type { Supervisor } from '../../supervisor.ts'
import type { DebianPackage } from '../debian_packages.ts'

export const NGINX: DebianPackage = { name: 'nginx-light', program: 'nginx', unit: 'nginx' }

const BLOCK = join(root, 'deploy/nginx/ticket-partners.conf')
const READY_WITHIN_MS = 10_000

/** nginx with the published block, with our ports, certificate and logs in place of its own. */
export async function startNginx(
  supervisor: Supervisor,
  directory: string,
  [first, second]: number[]
) {
  const at = (name: string) => join(directory, name)
  const port = await freePort()
  const ca = makeCertificate(at('tls.key'), at('tls.pem'))
  const block = publishedBlock([
    ['server 127.0.0.1:3333 ', `server 127.0.0.1:${first} `],
    ['server 127.0.0.1:3335 ', `server 127.0.0.1:${second} `],
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['/etc/ssl/tickets.example.kz.pem', at('tls.pem')],
    ['/etc/ssl/private/tickets.example.kz.key', at('tls.key')],
    ['/var/log/nginx/ticket-partners.log', at('access.log')],
    ['/var/log/nginx/error.log', at('nginx_errors.log')],
  ])
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  mkdirSync(at('nginx'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${at('nginx')}/${name};`)
    .join('\n')
  writeFileSync(
    at('nginx.conf'),
    `${user}pid ${at('nginx.pid')};\nerror_log ${at('nginx_errors.log')};\nevents {}\nhttp {\n${temporary}\n${block}}\n`
  )
  await supervisor.start({
    name: 'nginx',
    command: findProgram('nginx')!,
    args: ['-p', directory, '-c', at('nginx.conf'), '-g', 'daemon off;'],
    output: { file: at('nginx.log') },
    role: 'service',
  })
  const url = `https://127.0.0.1:${port}`
  if (!(await poll(() => answersItself(url, ca), { withinMs: READY_WITHIN_MS }))) {
    throw new StartUpError(`nginx does not start:\n${await logTail(at('nginx_errors.log'))}`)
  }
  return { url, ca }
}

function makeCertificate(key: string, certificate: string) {
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=tickets.example.kz', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', [...kind, ...subject, ...files], { stdio: 'ignore' })
  return readFileSync(certificate, 'utf8')
}

function publishedBlock(replaced: [string, string][]) {
  return replaced.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new StartUpError(`${BLOCK} has no "${from}"`)
      return text.replaceAll(from, to)
    },
    readFileSync(BLOCK, 'utf8')
  )
}

/** The block answers `/health` with 404, without a web process. */
const answersItself = (url: string, ca: string) =>
  new Promise<boolean>((resolve) => {
    const sent = request(`${url}/health/live`, { ca }, (response) => {
      response.resume()
      resolve(response.statusCode === 404)
    })
    sent.on('error', () => resolve(false))
    sent.end()
  })
