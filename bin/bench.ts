import { bench } from '../bench/bench.ts'
import { runToTheEnd } from '../dev/run_to_the_end.ts'

await runToTheEnd((cleanup) => bench(process.argv.slice(2), cleanup))
