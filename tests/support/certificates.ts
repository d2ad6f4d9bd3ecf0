import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Named {
  /** As in a certificate: `IP:127.0.0.1`, `DNS:other.example`. */
  name: string
  /** Negative for one that has expired. */
  days: number
}

/** An authority of the tests' own; its keys live as long as the directory. */
export class Authority {
  #directory = mkdtempSync(join(tmpdir(), 'authority-'))

  constructor() {
    this.#openssl(['req', '-x509', ...this.#newKey('ca'), '-subj', '/CN=Tests', '-days', '1'], 'ca')
  }

  get certificate() {
    return this.#read('ca.pem')
  }

  issue({ name, days }: Named) {
    const subject = ['-subj', '/CN=receiver', '-addext', `subjectAltName=${name}`]
    this.#openssl(['req', ...this.#newKey('receiver'), ...subject], 'request')
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-copy_extensions', 'copy']
    this.#openssl(
      ['x509', '-req', '-in', 'request.pem', ...signing, '-days', String(days)],
      'receiver'
    )
    return { cert: this.#read('receiver.pem'), key: this.#read('receiver.key') }
  }

  /** Signed by nobody but itself. */
  issueAlone({ name, days }: Named) {
    const subject = ['-subj', '/CN=receiver', '-addext', `subjectAltName=${name}`]
    const made = ['req', '-x509', ...this.#newKey('alone'), ...subject, '-days', String(days)]
    this.#openssl(made, 'alone')
    return { cert: this.#read('alone.pem'), key: this.#read('alone.key') }
  }

  remove() {
    rmSync(this.#directory, { recursive: true })
  }

  #newKey = (name: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    `${name}.key`,
  ]

  #openssl(args: string[], out: string) {
    const options = { cwd: this.#directory, stdio: 'pipe' } as const
    execFileSync('openssl', [...args, '-out', `${out}.pem`], options)
  }

  #read = (file: string) => readFileSync(join(this.#directory, file), 'utf8')
}
