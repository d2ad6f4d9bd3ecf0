import ViteProvider from '@adonisjs/vite/vite_provider'

/** Tests use the built pages, as a deployment does, since the development server is slower and less strict. */
export default class BuiltViteProvider extends ViteProvider {
  override async start() {
    if (this.app.getEnvironment() !== 'test') await super.start()
  }

  override async shutdown() {
    if (this.app.getEnvironment() !== 'test') await super.shutdown()
  }
}
