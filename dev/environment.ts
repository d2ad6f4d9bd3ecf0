import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { root } from './paths.ts'
import type { DatabaseUrls } from './postgres.ts'
import type { Services } from './start_services.ts'

const SECRETS = [
  'APP_KEY',
  'LINK_KEY',
  'METRICS_TOKEN',
  'POSTGRES_PASSWORD',
  'APPLICATION_PASSWORD',
]
const EXAMPLE = join(root, '.env.example')

export type Variables = Record<string, string | undefined>

/** Creates `.env` from the example, and fills in missing secrets. Returns whether the file is new. */
export function completeEnvFile() {
  const file = join(root, '.env')
  const isNew = !existsSync(file)
  const text = readFileSync(isNew ? EXAMPLE : file, 'utf8')
  const completed = withSecrets(text)
  if (isNew || completed !== text) {
    writeFileSync(file, completed, { mode: 0o600 })
  }
  return isNew
}

/** The settings as the application reads them: environment variables take precedence over the .env files. */
export async function projectVariables(): Promise<Variables> {
  const { EnvLoader, EnvParser } = await import('@adonisjs/core/env')
  const appRoot = new URL(`file://${root}/`)
  const files = await new EnvLoader(appRoot).load()
  const parsed = await Promise.all(
    files.map(({ contents }) => new EnvParser(contents, appRoot).parse())
  )
  const layers = [...parsed.reverse(), process.env].map(withoutEmpty)
  return Object.assign({}, ...layers)
}

/** The settings that name a database, by role. */
export const variablesOf = ({ application, owner, reports }: DatabaseUrls) => ({
  DATABASE_URL: application,
  OWNER_DATABASE_URL: owner,
  REPORTS_DATABASE_URL: reports,
})

/** Who serves is not given the owner's address, as docs/operations.md says. */
export const WITHOUT_OWNER = { OWNER_DATABASE_URL: '' }

/** The settings of `.env.example` for tests, without the developer's own `.env`. */
export function testVariables(
  services: Pick<Services, 'databaseUrls' | 'redisUrl'>,
  directory: string,
  port: number
) {
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, randomSecret()]))
  return {
    ...process.env,
    ...parseEnv(readFileSync(EXAMPLE, 'utf8')),
    ...secrets,
    NODE_ENV: 'test',
    // The application looks for .env files in this directory, which has none.
    ENV_PATH: directory,
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    ...variablesOf(services.databaseUrls),
    REDIS_URL: services.redisUrl,
    STORAGE_DIRECTORY: join(directory, 'storage'),
    SESSION_DRIVER: 'memory',
    // Statements are issued only with our own details.
    PLATFORM_LEGAL_NAME: 'ТОО «Билетная платформа»',
    PLATFORM_BIN: '170240054326',
    // Tests send requests constantly, so that exports would always be throttled.
    EXPORT_THROTTLE: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
    // Node compiles what it has compiled before only once.
    NODE_COMPILE_CACHE: join(root, 'tmp/compiled'),
  }
}

/** Fills in the secrets that this text of an .env file leaves empty. */
export const withSecrets = (text: string) => SECRETS.reduce(fillInSecret, text)

function fillInSecret(text: string, name: string) {
  return text.replace(new RegExp(`^${name}=\\s*$`, 'm'), () => `${name}=${randomSecret()}`)
}

function randomSecret() {
  return randomBytes(32).toString('base64url')
}

function withoutEmpty(variables: Variables) {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value))
}
