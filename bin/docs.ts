import '@poppinss/ts-exec'

/** `npm run docs` writes the parts of pages under docs/ that are made of code and texts. */
const { writeDefectReference } = await import('../dev/defect_reference.ts')
await writeDefectReference()
const { writeModuleMap } = await import('../dev/module_map.ts')
await writeModuleMap()
