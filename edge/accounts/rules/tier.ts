/** The tier that determines limits and priorities. */
export type Tier = 'anonymous' | 'free' | 'paid'
