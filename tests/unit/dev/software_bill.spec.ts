import {
  isFailing,
  problemsOf,
  wrongPackages,
  type SoftwareBill,
} from '../../../dev/software_bill.ts'
import { test } from '@japa/runner'

const component = (name: string, version = '1.0.0') => ({
  'bom-ref': `${name}@${version}`,
  name,
  version,
  'purl': `pkg:npm/${name}@${version}`,
  'hashes': [{ alg: 'SHA-512', content: 'ab' }],
})

const aBill = (more: Partial<SoftwareBill> = {}): SoftwareBill => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { component: { 'name': 'ticket-partners', 'bom-ref': 'ticket-partners@1' } },
  components: [component('a'), component('b')],
  dependencies: [{ ref: 'ticket-partners@1', dependsOn: ['a@1.0.0'] }, { ref: 'a@1.0.0' }],
  ...more,
})
const INSTALLED = ['a@1.0.0', 'b@1.0.0']

test.group('The software bill of materials', () => {
  test('is right when it lists what is installed, from where, with hashes', ({ assert }) => {
    assert.deepEqual(problemsOf(aBill(), INSTALLED), [])
  })

  test('misses no installed package, whatever its version', ({ assert }) => {
    const problems = problemsOf(aBill(), [...INSTALLED, 'b@2.0.0'])
    assert.deepEqual(problems, ['b@2.0.0 is not in the bill'])
  })

  test('lists no package that is not installed', ({ assert }) => {
    assert.deepEqual(problemsOf(aBill(), ['a@1.0.0']), ['b@1.0.0 is not installed'])
    assert.include(problemsOf(aBill(), []), 'Nothing is installed')
  })

  test('has no package without an origin or a hash', ({ assert }) => {
    const elsewhere = { ...component('b'), purl: 'pkg:generic/b' }
    const unhashed = { ...component('a'), hashes: [] }
    const problems = problemsOf(aBill({ components: [unhashed, elsewhere] }), INSTALLED)
    assert.deepEqual(problems, ['a has no origin or no hash', 'b has no origin or no hash'])
  })

  test('has only references that lead somewhere, and each once', ({ assert }) => {
    const lost = [{ ref: 'a@1.0.0', dependsOn: ['c@1.0.0'] }]
    assert.deepEqual(problemsOf(aBill({ dependencies: lost }), INSTALLED), [
      'c@1.0.0 is referred to and missing',
    ])
    const twice = [component('a'), component('b'), component('b')]
    assert.deepEqual(problemsOf(aBill({ components: twice }), INSTALLED), [
      'Two packages of the bill have the same reference',
    ])
  })
})

test.group('Packages of a deployment', () => {
  const aPackage = (name: string, more: object = {}) => ({ name, version: '1.0.0', ...more })

  test('none is for development', ({ assert }) => {
    const installed = [aPackage('pg'), aPackage('vite'), aPackage('typescript')]
    assert.deepEqual(wrongPackages(installed), [
      'typescript is for development, and installed',
      'vite is for development, and installed',
    ])
  })

  test('a peer that one needs is there, unless it is optional or for the build', ({ assert }) => {
    const peerDependencies = { youch: '^4', edge: '^6' }
    const peerDependenciesMeta = { edge: { optional: true } }
    const needy = aPackage('ace', { peerDependencies, peerDependenciesMeta })
    const builder = aPackage('@adonisjs/vite', { peerDependencies: { vite: '^8' } })
    assert.deepEqual(wrongPackages([needy, builder]), [
      'youch, a peer of ace, is not installed: package.json must name it',
    ])
    assert.deepEqual(wrongPackages([needy, aPackage('youch'), builder]), [])
  })
})

test.group('Advisories', () => {
  test('{$self} advisories fail the check')
    .with(['high', 'critical'])
    .run(({ assert }, severity) => {
      assert.isTrue(isFailing({ low: 0, moderate: 0, [severity]: 1 }))
    })

  test('lesser ones are only printed', ({ assert }) => {
    assert.isFalse(isFailing({ info: 1, low: 2, moderate: 3, high: 0, critical: 0 }))
  })
})
