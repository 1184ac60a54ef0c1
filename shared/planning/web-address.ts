import { z } from 'zod'

const CHARACTERS_MAX = 2048

/** A public address that a parameter names, which the fleet fetches; whether it may is checked there. */
export const WebAddress = z.url({ protocol: /^https?$/ }).max(CHARACTERS_MAX)
