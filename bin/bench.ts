import { bench } from '../bench/bench.ts'
import { runProgram } from '../dev/run_program.ts'

await runProgram((cleanup) => bench(process.argv.slice(2), cleanup))
