import { RegisterReader } from '#register_reading/register_reader'
import { serveCalculation } from '#shared/calculation_thread'

serveCalculation(new RegisterReader())
