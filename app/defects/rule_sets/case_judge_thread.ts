import { JudgeByVersion } from '#defects/rule_sets/case_judge'
import { serveCalculation } from '#shared/calculation_thread'

serveCalculation(new JudgeByVersion())
