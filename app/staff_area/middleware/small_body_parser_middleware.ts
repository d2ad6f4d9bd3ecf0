import { smallBodies } from '#config/bodyparser'
import BodyParserMiddleware from '@adonisjs/core/bodyparser_middleware'

/** The body parser for routes without sign-in. */
export default class SmallBodyParserMiddleware extends BodyParserMiddleware {
  constructor() {
    super(smallBodies)
  }
}
