import { benchMonths } from '../bench/months.ts'
import { runProgram } from '../dev/run_program.ts'

await runProgram((cleanup) => benchMonths(process.argv.slice(2), cleanup))
