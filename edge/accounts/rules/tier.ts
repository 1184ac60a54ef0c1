/** The tier that ceilings and priorities go by. */
export type Tier = 'anonymous' | 'free' | 'paid'
