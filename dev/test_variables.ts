import { join } from 'node:path'
import { exampleVariables } from './env_file.ts'
import type { Services } from './start_services.ts'

/** The settings of `.env.example` and nothing of the developer's own `.env`. */
export function testVariables(services: Services, directory: string, port: number) {
  return {
    ...process.env,
    ...exampleVariables(),
    NODE_ENV: 'test',
    // The application looks for its .env files here and finds none.
    ENV_PATH: directory,
    HOST: '127.0.0.1',
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    STORAGE_DIRECTORY: join(directory, 'storage'),
    SESSION_DRIVER: 'memory',
    // Tests ask all the time.
    EXPORT_RESTS: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
  }
}
