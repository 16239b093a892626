/** A reset that lies this little in the past is over; one that lies longer ago is meant for tomorrow. */
const graceMs = 10 * 60_000
const dayMs = 24 * 60 * 60_000
/** No limit is that long: whoever says so is not understood. */
const longestMs = 32 * dayMs

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const time =
  /(?:resets?|try again) (?:at )?(?:([a-z]{3})[a-z]{0,6} (\d{1,2})(?:st|nd|rd|th)?,? (?:(\d{4}),? )?(?:at )?)?(\d{1,2})(?::(\d\d))? ?([ap]m)?(?: \(([\w+/-]{1,40})\))?/i

/**
 * When a usage limit resets, from the words of its message: `resets 2:27am (UTC)`, `resets Nov 20, 7:57am (Europe/Berlin)`,
 * `try again at 1:47 AM`, `…limit reached|1794812231`, `resets in 3h20m`. Without a zone it is the local time of this
 * machine. Null if it cannot be told.
 */
export function resetTime(text: string, now: number): number | null {
  const head = text.slice(0, 500)
  const epoch = /\|(\d{10})\b/.exec(head)
  const found = epoch === null ? (fromDelay(head, now) ?? fromWords(head, now)) : Number(epoch[1]) * 1000
  return found !== null && Math.abs(found - now) <= longestMs ? found : null
}

const delay =
  /(?:resets?|try again|retry|available)(?: again)? (?:in|after) ((?:\d{1,6}(?:\.\d{1,3})? ?(?:d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\b[ ,]{0,2}(?:and )?){1,4}|(?:\d{1,5}[dhms]){1,4})/i
const unitMs: Readonly<Record<string, number>> = { d: dayMs, h: 3_600_000, m: 60_000, s: 1000 }

/** `try again in 5 minutes`, `quota will reset after 3h20m15s`. */
function fromDelay(text: string, now: number): number | null {
  const match = delay.exec(text)
  if (match === null) return null
  const parts = (match[1] ?? '').matchAll(/(\d+(?:\.\d+)?) ?([dhms])/gi)
  const ms = [...parts].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (unitMs[(unit ?? '').toLowerCase()] ?? 0),
    0,
  )
  return now + ms
}

function fromWords(text: string, now: number): number | null {
  const match = time.exec(text)
  if (match === null) return null
  const [, month, day, year, hour, minute, half, zone] = match
  // A bare number would be no time: "resets 3 limits".
  if (minute === undefined && half === undefined) return null
  const clock = { hour: hourOf(Number(hour), half?.toLowerCase()), minute: Number(minute ?? 0) }
  if (clock.hour > 23 || clock.minute > 59) return null
  const today = wallClock(now, zone)
  if (today === null) return null
  if (month === undefined) {
    const sameDay = toEpoch({ ...today, ...clock }, zone)
    return sameDay >= now - graceMs ? sameDay : toEpoch({ ...today, ...clock, day: today.day + 1 }, zone)
  }
  const date = { month: months.indexOf(month.toLowerCase()), day: Number(day) }
  if (date.month === -1) return null
  if (year !== undefined) return toEpoch({ year: Number(year), ...date, ...clock }, zone)
  const sameYear = toEpoch({ year: today.year, ...date, ...clock }, zone)
  return sameYear >= now - dayMs ? sameYear : toEpoch({ year: today.year + 1, ...date, ...clock }, zone)
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  return (hour % 12) + (half === 'pm' ? 12 : 0)
}

interface WallClock {
  readonly year: number
  /** From 0, as Date has it. */
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
}

/** What the clocks of a zone show; null for a zone that does not exist. */
function wallClock(ms: number, zone: string | undefined): WallClock | null {
  const date = new Date(ms)
  if (zone === undefined) {
    const [hour, minute] = [date.getHours(), date.getMinutes()]
    return { year: date.getFullYear(), month: date.getMonth(), day: date.getDate(), hour, minute }
  }
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
    const parts = new Map(format.formatToParts(date).map((part) => [part.type, Number(part.value)]))
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
    return { year: of('year'), month: of('month') - 1, day: of('day'), hour: of('hour'), minute: of('minute') }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return null
  }
}

/** When the clocks of a zone show this; the zone exists. */
function toEpoch(wall: WallClock, zone: string | undefined): number {
  const asUtc = Date.UTC(wall.year, wall.month, wall.day, wall.hour, wall.minute)
  if (zone === undefined) return new Date(wall.year, wall.month, wall.day, wall.hour, wall.minute).getTime()
  const offsetAt = (ms: number): number => {
    const shown = wallClock(ms, zone)
    if (shown === null) return 0
    return Date.UTC(shown.year, shown.month, shown.day, shown.hour, shown.minute) - ms
  }
  // The offset is that of the wanted time, which is not known yet: the second look has it.
  const near = asUtc - offsetAt(asUtc)
  return asUtc - offsetAt(near)
}
