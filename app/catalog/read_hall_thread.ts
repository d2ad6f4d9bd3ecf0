import { readHall, type HallFiles } from '#catalog/read_hall'
import { parentPort, workerData } from 'node:worker_threads'

parentPort!.postMessage(readHall(workerData as HallFiles))
