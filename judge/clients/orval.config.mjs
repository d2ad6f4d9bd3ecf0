export default {
  partners: {
    input: 'openapi.yaml',
    output: {
      target: 'generated/orval.ts',
      client: 'fetch',
      mode: 'single',
      override: { mutator: { path: 'signed_fetch.ts', name: 'signedFetch' } },
    },
  },
}
