/** A part of the running picture and sound, in seconds. */
export interface Cut {
  start: number
  seconds: number
  /** Up to the end, however far it is: a measured length may miss the last frames. */
  to_end?: boolean
}
