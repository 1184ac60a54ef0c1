import type { z } from '@hono/zod-openapi'
import type { ApiRoute } from '../../../edge/app.ts'
import type { ErrorBody } from '../../../edge/http/error-schemas.ts'

/** The segments of an address: `/a/{b}` gives `['', 'a', '{b}']`. */
type Segments<Address extends string> = Address extends `${infer First}/${infer Rest}`
  ? [First, ...Segments<Rest>]
  : [Address]

type SegmentMatches<Given extends string, Known extends string> = Known extends `{${string}}`
  ? true
  : Given extends Known
    ? true
    : false

type Matches<Given extends string[], Known extends string[]> = Given extends [
  infer First extends string,
  ...infer Rest extends string[],
]
  ? Known extends [infer KnownFirst extends string, ...infer KnownRest extends string[]]
    ? SegmentMatches<First, KnownFirst> extends true
      ? Matches<Rest, KnownRest>
      : false
    : false
  : Known extends []
    ? true
    : false

type WithoutQuery<Address extends string> = Address extends `${infer Path}?${string}` ? Path : Address

/** Distributes over the paths of a route that is defined for several. */
type MatchesAny<Address extends string, Path> = Path extends string
  ? Matches<Segments<Address>, Segments<Path>>
  : never

/** The routes that an address with values can lead to. */
type Candidates<Method extends string, Address extends string, Candidate = ApiRoute> = Candidate extends {
  method: Lowercase<Method>
  path: infer Path extends string
}
  ? true extends MatchesAny<Address, Path>
    ? Candidate
    : never
  : never

/** A route without parameters wins over one with parameters. */
type RouteOf<Method extends string, Address extends string, Found = Candidates<Method, Address>> =
  Extract<Found, { path: Address }> extends never ? Found : Extract<Found, { path: Address }>

type BodyOf<Found> = Found extends { answer: infer Schema }
  ? Schema extends z.ZodType
    ? z.output<Schema>
    : object
  : never

export interface ErrorFields {
  code?: z.output<typeof ErrorBody>['code']
  request_id?: string
  /** Faults of a validation error are in `faults` of the answer. */
  detail?: z.output<typeof ErrorBody>['detail']
}

/** A body that may be null stays nullable. */
type WithError<Body> = Body extends object ? Body & ErrorFields : Body

type BodyOfOne<Method extends string, Address extends string> = string extends Address
  ? unknown
  : [RouteOf<Method, WithoutQuery<Address>>] extends [never]
    ? unknown
    : WithError<BodyOf<RouteOf<Method, WithoutQuery<Address>>>>

/**
 * The body of a response: that of its endpoint, with the fields of an error. Unknown if the address is not a literal
 * that leads to one endpoint.
 */
export type ResponseBody<Method extends string, Address extends string> = Address extends string
  ? BodyOfOne<Method, Address>
  : never
