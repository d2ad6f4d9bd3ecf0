import { bench } from '../tests/load/bench.ts'
import { runToTheEnd } from './services/run_to_the_end.ts'

await runToTheEnd((cleanup) => bench(process.argv.slice(2), cleanup))
