import { z } from 'zod'

const CHARACTERS_MAX = 2048

/** A URL that a parameter references. The fleet checks its address before the download. */
export const WebAddress = z.url({ protocol: /^https?$/ }).max(CHARACTERS_MAX)
