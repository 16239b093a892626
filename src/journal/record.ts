import { crc32 } from 'node:zlib'
import { isObject, parseJson } from '../base/json.ts'
import { err, ok, type Result } from '../base/result.ts'
import type { Event, Recorded } from '../model/event.ts'
import { whyNotEvent } from './event-shape.ts'

/** A line is `<body without its last brace>,"crc":"<8 hex digits>"}`. */
const crcLength = ',"crc":"00000000"}'.length
const closingBrace = Buffer.from('}')

/**
 * One line of a journal with its line feed. The body is the JSON object `{"seq":…,"at":…,"kind":…,…}`; `crc` is the
 * CRC-32 (zlib's) of the body's UTF-8 bytes, in eight lower-case hexadecimal digits, put behind the body's last member.
 * It finds accidents. It is no seal: who can write the journal can compute it.
 */
export function encodeRecord(event: Event, seq: number, at: string): Buffer {
  return lineOf(bodyOf(event, seq, at))
}

/** A line together with what a replay will make of it; the error is why a replay would refuse it. */
export function prepareRecord(
  event: Event,
  seq: number,
  at: string,
): Result<{ readonly line: Buffer; readonly recorded: Recorded }, string> {
  const body = bodyOf(event, seq, at)
  const recorded = parseBody(body, seq)
  return recorded.ok ? ok({ line: lineOf(body), recorded: recorded.value }) : recorded
}

/** A line without its line feed; the error is one phrase. */
export function decodeRecord(line: Buffer, seq: number): Result<Recorded, string> {
  const end = line.length - crcLength
  if (end <= 0) return err('the line is not a record')
  const crc = hex(crc32(closingBrace, crc32(line.subarray(0, end))))
  if (line.toString('latin1', end) !== `,"crc":"${crc}"}`) return err('the checksum does not match')
  return parseBody(`${line.toString('utf8', 0, end)}}`, seq)
}

function bodyOf(event: Event, seq: number, at: string): string {
  return `{"seq":${seq},"at":"${at}",${JSON.stringify(event).slice(1)}`
}

function lineOf(body: string): Buffer {
  return Buffer.from(`${body.slice(0, -1)},"crc":"${hex(crc32(body))}"}\n`)
}

function parseBody(body: string, seq: number): Result<Recorded, string> {
  const json = parseJson(body)
  if (!json.ok) return json
  if (!isObject(json.value)) return err('the line is not a record')
  if (json.value['seq'] !== seq) return err(`record ${JSON.stringify(json.value['seq'])} where ${seq} should be`)
  const { at } = json.value
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at))) return err('the record has no time')
  const why = whyNotEvent(json.value)
  return why === null ? ok(json.value as unknown as Recorded) : err(why)
}

const hex = (crc: number): string => crc.toString(16).padStart(8, '0')
