/**
 * The skeleton of all readers of other programs' logs: a reader says what one record means, and this
 * makes a conversation of them. Records never vanish by going back: their turns become branches.
 */
import {createHash} from 'node:crypto';
import type {AssistantPart} from '../../chat/message.ts';
import type {JsonObject} from '../../json.ts';
import {titleOfPrompt} from '../session-title.ts';
import {buildSession} from './build-turns.ts';
import type {
	ForeignConversation,
	ForeignMessage,
	ImportContext,
	ImportFormat,
	JsonPiece,
	LogHead,
} from './foreign.ts';
import {attach, readImageUrl} from './media.ts';
import {type ForeignCall, type ForeignResult, writeCall} from './tool-text.ts';
import {type MessageNode, pathsOf} from './tree-paths.ts';

export type Said =
	| {
			readonly type: 'prompt';
			readonly text: string;
			/** `data:` URLs or web addresses. */
			readonly images?: readonly string[];
			/** Whether it counts only with an answer: `/clear` has none. */
			readonly isCommand?: boolean;
	  }
	| {readonly type: 'text' | 'reasoning' | 'system'; readonly text: string}
	/** Replaces what was said before; kept only where nothing was. */
	| {readonly type: 'summary'; readonly text: string}
	| {
			readonly type: 'call';
			readonly id: string;
			readonly name: string;
			readonly input: unknown;
			/** If it is in the same record. */
			readonly result?: ForeignResult | undefined;
	  }
	| ({readonly type: 'result'; readonly id: string} & ForeignResult)
	/** A word for what is not taken: `hook`. */
	| {readonly type: 'left-out'; readonly what: string};

export type LogRecord = {
	/** Without one, the record is named by its content. */
	readonly id?: string;
	/** The record before it; null for none, undefined for the one before it in the file. */
	readonly parent?: string | null | undefined;
	/** Records with the same one are pieces of one answer. */
	readonly group?: string;
	/** Milliseconds since 1970. */
	readonly at?: number | undefined;
	/** Applies to later records, too. */
	readonly model?: string;
	readonly said?: readonly Said[];
	/** Facts about the conversation, where known: the first id, the last title. */
	readonly about?: {
		readonly id?: string;
		readonly title?: string;
		/** Whether the user chose the title, so that no other one replaces it. */
		readonly isChosen?: boolean;
		readonly created?: number | undefined;
		readonly cwd?: string;
		/** Whether another conversation started it, for a task of its own. */
		readonly isSubAgent?: boolean;
	};
	/** Goes back before anything else: to the start, before a record, or by that many prompts. */
	readonly goBack?: 'start' | {readonly before: string} | {readonly prompts: number};
};

export type LogFormat = {
	readonly name: string;
	readonly detect: ImportFormat['detect'];
	/** Returns a whole conversation's records; undefined if the value is itself a record. */
	readonly split?: (value: JsonObject) => readonly JsonObject[] | undefined;
	readonly read: (record: JsonObject) => LogRecord | readonly LogRecord[];
	/** Whether a record with the id of an earlier one replaces it; else it is left out. */
	readonly isUpdated?: boolean;
	/** Returns the conversation's id, if the path has a better one than the records. */
	readonly nameFile?: (path: string) => string | undefined;
	/** Returns the title from a file beside it. */
	readonly findTitle?: (context: ImportContext) => string | undefined;
};

/** A file is one conversation, unless its values are whole ones. */
export function readLog(format: LogFormat): ImportFormat {
	return {
		name: format.name,
		detect: format.detect,
		readHead: (values, path) => readHead(values, path, format),
		*read(pieces: Iterable<JsonPiece>, context: ImportContext) {
			const build = (place: string, records: readonly JsonObject[]) => {
				const found = readRecords(records, format, context);
				return found === undefined
					? {place, problem: "a sub-agent's conversation"}
					: {place, session: buildSession(found, context.now)};
			};
			const records: JsonObject[] = [];
			for (const {place, value} of pieces) {
				const whole = value && format.split?.(value);
				if (value === undefined) yield {place, problem: 'not a JSON object'};
				else if (whole === undefined) records.push(value);
				else yield build(place, whole);
			}
			if (records.length > 0) yield build('all', records);
		},
	};
}

function readHead(
	values: Iterable<JsonObject>,
	path: string,
	{name, read, split, nameFile}: LogFormat,
): LogHead {
	const named = nameFile?.(path);
	const head = {source: named ? `${name}:${named}` : '', title: '', cwd: ''};
	for (const value of values) {
		for (const {about = {}, said = []} of (split?.(value) ?? [value]).flatMap(read)) {
			const prompt = said.find((one) => one.type === 'prompt' && !one.isCommand && one.text !== '');
			if (about.id) head.source ||= `${name}:${about.id}`;
			head.cwd ||= about.cwd ?? '';
			head.title ||= about.title ?? '';
			if (prompt?.type !== 'prompt') continue;
			head.title ||= titleOfPrompt({text: prompt.text, attachments: []});
			return head;
		}
	}
	return head;
}

type Content = Exclude<Said, {readonly type: 'result' | 'left-out' | 'summary' | 'call'}>;
type Piece = Content | ForeignCall;

type Node = {
	readonly parent: string | undefined;
	pieces: Piece[];
	/** The last record adding to it. */
	last: {readonly id: string; readonly at: number | undefined};
	readonly model: string;
};

function createLog() {
	return {
		nodes: new Map<string, Node>(),
		/** Records that are a piece of another node, or add nothing to the one before them. */
		aliases: new Map<string, string | undefined>(),
		calls: new Map<string, {readonly call: ForeignCall; readonly node: Node}>(),
		omitted: [] as string[],
		/** The node where the conversation stands. */
		tip: undefined as string | undefined,
		model: '',
		title: {text: '', isChosen: false},
		facts: {} as {id?: string; created?: number; cwd?: string; isSubAgent?: boolean},
		updated: undefined as number | undefined,
	};
}

type Log = ReturnType<typeof createLog>;

/** Returns undefined for a sub-agent's conversation. */
function readRecords(
	records: readonly JsonObject[],
	{read, isUpdated = false, nameFile, findTitle}: LogFormat,
	context: ImportContext,
): ForeignConversation | undefined {
	const log = createLog();
	for (const value of records) {
		for (const record of [read(value)].flat()) {
			addFacts(log, record);
			if (record.goBack !== undefined) goBack(log, record.goBack);
			addRecord(log, record, isUpdated, () => nameContent(value));
		}
	}
	const {nodes, omitted, model, facts, updated, tip = ''} = log;
	if (facts.isSubAgent) return undefined;
	const readable = new Map<string, MessageNode>();
	for (const [key, node] of nodes) {
		readable.set(key, {parent: node.parent, read: () => messagesOf(node, omitted)});
	}
	const {messages, branches = []} = pathsOf(readable, tip, omitted);
	const {path} = context;
	const {created, cwd, id = ''} = facts;
	return {
		...{model, created, updated, cwd, omitted},
		id: (path && nameFile?.(path)) || id,
		title: log.title.text || findTitle?.(context) || context.titles?.get(id) || '',
		messages: withoutCommands(messages),
		branches: branches.map(withoutCommands),
	};
}

function addFacts(log: Log, {about = {}, at, model}: LogRecord): void {
	const {facts} = log;
	const {id, cwd, created, title, isChosen = false, isSubAgent} = about;
	if (id) facts.id ??= id;
	if (cwd) facts.cwd ??= cwd;
	if (isSubAgent) facts.isSubAgent = true;
	if (created !== undefined) facts.created ??= created;
	if (title && (isChosen || !log.title.isChosen)) log.title = {text: title, isChosen};
	if (model) log.model = model;
	if (at !== undefined) log.updated = Math.max(log.updated ?? at, at);
}

function goBack(log: Log, to: NonNullable<LogRecord['goBack']>): void {
	if (to === 'start') log.tip = undefined;
	else if ('before' in to) log.tip = log.nodes.get(resolve(log, to.before) ?? '')?.parent;
	else {
		for (let left = to.prompts; left > 0 && log.tip !== undefined; ) {
			const node = log.nodes.get(log.tip);
			if (node?.pieces.some(({type}) => type === 'prompt')) left -= 1;
			log.tip = node?.parent;
		}
	}
}

function resolve({aliases}: Log, id: string | undefined): string | undefined {
	return id !== undefined && aliases.has(id) ? aliases.get(id) : id;
}

function addRecord(log: Log, record: LogRecord, isUpdated: boolean, nameIt: () => string): void {
	const {nodes, aliases} = log;
	const {id: own = '', at, said = [], group = ''} = record;
	const isKnown = own !== '' && (nodes.has(own) || aliases.has(own));
	if (isKnown && !isUpdated) return;
	const parent = record.parent === undefined ? log.tip : resolve(log, record.parent ?? undefined);
	const last = {id: own || nameIt(), at};
	const shared = group === '' ? undefined : `group ${group}`;
	const hasStart = nodes.has(shared ?? '') || nodes.has(parent ?? '');
	const pieces = said.flatMap((one) => takePieces(log, one, last, hasStart));
	if (pieces.length === 0) {
		if (own !== '') aliases.set(own, parent);
		if (record.parent !== undefined) log.tip = parent;
		return;
	}
	const key = shared ?? placeFor(log, last.id, isKnown, parent);
	const old = nodes.get(key);
	const node = old ?? {parent, pieces: [], last, model: log.model};
	nodes.set(key, node);
	if (own !== '' && own !== key) aliases.set(own, key);
	if (shared === undefined) node.pieces = pieces;
	else addToWhole(node.pieces, pieces);
	node.last = last;
	for (const piece of pieces) {
		if (piece.type === 'call') log.calls.set(piece.id, {call: piece, node});
	}
	if (old === undefined || !isBefore(log, key)) log.tip = key;
}

/** Returns the node that an updated record replaces, or a new one: it may stand elsewhere now. */
function placeFor(log: Log, id: string, isKnown: boolean, parent: string | undefined): string {
	const {nodes} = log;
	const known = resolve(log, id);
	if (isKnown && known !== undefined) {
		if (isBefore(log, known) || nodes.get(known)?.parent === parent) return known;
	}
	return nodes.has(id) ? `${id} ${nodes.size}` : id;
}

/** Records are updated soon. */
const maxStepsBack = 100;

/** Whether the conversation stands at that node, or not long after it. */
function isBefore({nodes, tip}: Log, key: string): boolean {
	let current = tip;
	for (let steps = 0; steps < maxStepsBack && current !== undefined; steps++) {
		if (current === key) return true;
		current = nodes.get(current)?.parent;
	}
	return false;
}

/** Returns what a node gets; a result goes into its call. */
function takePieces(log: Log, said: Said, last: Node['last'], hasStart: boolean): readonly Piece[] {
	const {omitted, calls} = log;
	switch (said.type) {
		case 'result': {
			const {id, ...result} = said;
			const found = calls.get(id);
			if (found !== undefined) {
				found.call.result = result;
				found.node.last = last;
			} else if (hasStart) return [{type: 'call', id: '', name: '', input: '', result}];
			else omitted.push('injected text');
			return [];
		}
		case 'summary':
			if (!hasStart) return [{type: 'system', text: said.text}];
			omitted.push('compaction');
			return [];
		case 'left-out':
			omitted.push(said.what);
			return [];
		case 'call':
			return [{...said, result: said.result}];
		case 'prompt':
			return said.text.trim() === '' && !said.images?.length ? [] : [said];
		default:
			return said.text.trim() === '' ? [] : [said];
	}
}

/** Adds to an answer: a later record may repeat the text of an earlier one, and go on. */
function addToWhole(pieces: Piece[], added: readonly Piece[]): void {
	for (const one of added) {
		const same = pieces.findLastIndex((other) =>
			one.type === 'call'
				? other.type === 'call' && other.id === one.id
				: other.type === one.type && one.text.startsWith(other.text),
		);
		if (same === -1) pieces.push(one);
		else pieces[same] = one;
	}
}

function nameContent(value: JsonObject): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

type PathMessage = ForeignMessage & {readonly isCommand?: boolean};

function messagesOf({pieces, last, model}: Node, omitted: string[]): readonly PathMessage[] {
	const messages: PathMessage[] = [];
	const common = {...last, model};
	for (const one of pieces) {
		if (one.type === 'system') messages.push({...common, role: 'system', text: one.text});
		else if (one.type === 'prompt') {
			const {text, isCommand = false} = one;
			const attachments = (one.images ?? []).flatMap((url) =>
				attach(readImageUrl(url), '', omitted, 'image'),
			);
			messages.push({...common, role: 'user', text, attachments, isCommand});
		} else {
			const part: AssistantPart =
				one.type === 'call'
					? {type: 'text', text: writeCall(one)}
					: {type: one.type, text: one.text};
			messages.push({...common, role: 'assistant', parts: [part]});
		}
	}
	return messages;
}

function withoutCommands(messages: readonly PathMessage[]): readonly ForeignMessage[] {
	return messages.filter(
		({isCommand}, index) => !isCommand || messages[index + 1]?.role === 'assistant',
	);
}
