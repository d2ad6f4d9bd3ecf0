import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HttpSocket } from '../../../bench/generator/http_socket.ts'
import type { Credentials } from '../../../bench/generator/jobs.ts'
import { signedRequest } from '../../../bench/generator/signed_request.ts'
import { withSecrets } from '../../environment.ts'
import { poll } from '../../poll.ts'
import { copySources } from '../../project_copy.ts'
import { StartUpError } from '../../start_up_error.ts'
import type { Docker } from './docker.ts'

const PROJECT = 'ticket-partners-drill'
const EXAMPLE = 'docs/api/examples/first_ticket.mjs'

export interface Container {
  service: string
  status: string
  health: string | undefined
  /** As this machine sees it; 0 when it does not run. */
  pid: number
  exitCode: number
  restarts: number
  finishedAt: string
}

/** compose.yaml, brought up from a copy of the project as a fresh clone would have it. */
export class Deployment {
  readonly docker: Docker
  readonly directory: string
  readonly port: number
  #partner: Credentials | undefined

  private constructor(docker: Docker, directory: string, port: number) {
    this.docker = docker
    this.directory = directory
    this.port = port
  }

  static prepare(docker: Docker, directory: string, port: number) {
    copySources(directory)
    const example = withSecrets(readFileSync(join(directory, '.env.example'), 'utf8'))
    const settings = {
      COMPOSE_PROJECT_NAME: PROJECT,
      PORT: String(port),
      APP_URL: `http://localhost:${port}`,
    }
    const text = Object.entries(settings).reduce(
      (all, [name, value]) => all.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`),
      example
    )
    writeFileSync(join(directory, '.env'), text, { mode: 0o600 })
    return new Deployment(docker, directory, port)
  }

  /** Builds the image that compose.yaml names, as `docker-compose build` would, but on the network of this machine. */
  build() {
    return this.docker.docker(
      'build',
      '--network=host',
      '--pull=false',
      '--force-rm',
      '--tag=ticket-partners',
      this.directory
    )
  }

  up() {
    return this.compose('up', '--detach', '--no-build')
  }

  compose(...args: string[]) {
    return this.docker.compose(this.directory, ...args)
  }

  /** Removes containers, networks and volumes, also those that a killed drill has left. */
  remove() {
    return this.compose('down', '--volumes', '--remove-orphans')
  }

  /** Containers, volumes and networks of this deployment that still exist. */
  async leftObjects() {
    const filter = `--filter=label=com.docker.compose.project=${PROJECT}`
    const kinds = [
      ['ps', '--all'],
      ['volume', 'ls'],
      ['network', 'ls'],
    ]
    const lists = await Promise.all(
      kinds.map((kind) => this.docker.docker(...kind, '--quiet', filter))
    )
    return lists.flatMap((list) => list.split('\n').filter(Boolean))
  }

  exec(service: string, ...command: string[]) {
    return this.compose('exec', '-T', service, ...command)
  }

  async containers(): Promise<Container[]> {
    const filter = `label=com.docker.compose.project=${PROJECT}`
    const ids = await this.docker.docker('ps', '--all', '--quiet', '--filter', filter)
    if (ids === '') return []
    const inspected = JSON.parse(await this.docker.docker('inspect', ...ids.split('\n')))
    return inspected.map(({ Config, State, RestartCount }: any) => ({
      service: Config.Labels['com.docker.compose.service'],
      status: State.Status,
      health: State.Health?.Status,
      pid: State.Pid,
      exitCode: State.ExitCode,
      restarts: RestartCount,
      finishedAt: State.FinishedAt,
    }))
  }

  async container(service: string) {
    const containers = await this.containers()
    const found = containers.find((each) => each.service === service)
    if (!found) throw new StartUpError(`There is no container ${service}`)
    return found
  }

  /** Waits until these containers are healthy. Throws a StartUpError with the logs of those that are not in time. */
  async untilHealthy(services: string[], withinMs: number) {
    let unhealthy = services
    const areHealthy = async () => {
      const containers = await this.containers()
      const healthy = containers.filter(({ health }) => health === 'healthy')
      unhealthy = services.filter((name) => !healthy.some(({ service }) => service === name))
      return unhealthy.length === 0
    }
    if (!(await poll(areHealthy, { withinMs, everyMs: 500 }))) {
      const logs = await this.compose('logs', '--no-color', '--tail=5', ...unhealthy)
      throw new StartUpError(`Not healthy in time: ${unhealthy.join(', ')}\n${logs}`)
    }
  }

  /** Fills the sandbox and keeps the credentials of its first partner. */
  async seed() {
    await this.exec('web', 'node', 'ace.js', 'sandbox:seed', '--file=/tmp/sandbox.json')
    const { partners } = JSON.parse(await this.exec('web', 'cat', '/tmp/sandbox.json'))
    const { api_key: apiKey, secret } = partners[0]
    this.#partner = { apiKey, secret }
  }

  /** Sells two tickets with the published example, which repeats what was not answered; returns the partner's key of the order. */
  async sell() {
    const { apiKey, secret } = this.#partner!
    const env = {
      PARTNER_BASE_URL: `http://127.0.0.1:${this.port}/api/v1/partners`,
      PARTNER_API_KEY: apiKey,
      PARTNER_SECRET: secret,
    }
    const output = await this.docker.run(process.execPath, [join(this.directory, EXAMPLE)], { env })
    const [, order] = /is paid\n6\. Saved 2 tickets to tickets-(\S+)\.json/.exec(output) ?? []
    if (!order) throw new StartUpError(`The example did not sell: ${output}`)
    return order
  }

  /** The status and the number of tickets that the API answers for an order, by the partner's key. */
  async readOrder(key: string) {
    const socket = await HttpSocket.open(this.port)
    try {
      const request = signedRequest(this.#partner!, 'GET', `/orders?partner_order_id=${key}`)
      const { body } = await socket.send(request, true)
      const { data } = JSON.parse(body)
      return `${data?.status} with ${data?.tickets?.length ?? 0} tickets`
    } finally {
      socket.close()
    }
  }
}
