export default {
  input: 'openapi.yaml',
  output: { path: 'generated/hey_api', importFileExtension: '.ts' },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
}
