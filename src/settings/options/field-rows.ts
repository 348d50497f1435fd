/**
 * Options sent unchanged as request fields. Adding one takes a row here, its type in `RequestFields`
 * (`chat/message.ts`) and its name in each wire.
 */
import {clearableList, optional} from './option-row.ts';
import {integerFrom, numberBetween, orNothing, parseText} from './parsers.ts';

export const fieldRows = {
	temperature: optional(orNothing(numberBetween(0, 2)), {
		flags: ['--temperature <0..2>'],
		variable: 'CHAT_TEMPERATURE',
		summary: 'sampling temperature',
	}),
	topP: optional(orNothing(numberBetween(0, 1)), {
		flags: ['--top-p <0..1>'],
		variable: 'CHAT_TOP_P',
		summary: 'nucleus sampling; set this or the temperature, not both',
	}),
	maxTokens: optional(orNothing(integerFrom(1)), {
		flags: ['--max-tokens <n>'],
		variable: 'CHAT_MAX_TOKENS',
		summary: 'maximum tokens in the answer',
	}),
	reasoningEffort: optional(orNothing(parseText), {
		flags: ['--reasoning-effort <level>'],
		values: ['minimal', 'low', 'medium', 'high'],
		variable: 'CHAT_REASONING_EFFORT',
		summary: 'how much to reason, such as low, medium or high',
	}),
	verbosity: optional(orNothing(parseText), {
		flags: ['--verbosity <level>'],
		values: ['low', 'medium', 'high'],
		variable: 'CHAT_VERBOSITY',
		summary: 'length of the answer, such as low, medium or high',
	}),
	seed: optional(orNothing(integerFrom(Number.MIN_SAFE_INTEGER)), {
		flags: ['--seed <n>'],
		variable: 'CHAT_SEED',
		summary: 'seed for the sampling, so that answers can be repeated',
	}),
	stop: clearableList({
		flags: ['--stop <text>'],
		variable: 'CHAT_STOP',
		summary: 'text that ends the answer; repeatable',
	}),
	serviceTier: optional(orNothing(parseText), {
		flags: ['--service-tier <tier>'],
		values: ['auto', 'default', 'flex', 'priority'],
		variable: 'CHAT_SERVICE_TIER',
		summary: 'processing tier of the service, such as flex or priority',
	}),
};
