import { z } from 'zod'

const CHARACTERS_MAX = 2048

/**
 * A file that a parameter references: a URL, or an object in the storage of the customer. The fleet checks the
 * address before the download.
 */
export const WebAddress = z.url({ protocol: /^(https?|storage)$/ }).max(CHARACTERS_MAX)
