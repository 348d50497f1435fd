/** Looks for services on this machine while the built-in one answers. Nothing is switched. */
import type {ChatEvent, Notice} from '../../../chat/event.ts';
import type {Environment} from '../../../environment.ts';
import type {TurnListener} from '../../../output/write-turn.ts';
import {anyLocal, placesOf} from '../../../settings/options/parse-service.ts';
import {findOffers} from '../../../settings/service/find-key.ts';
import {plural} from '../../../wording.ts';
import {findLocal, type LocalService} from './find-local.ts';
import {builtInNotice, describeUnusedKey} from './open-built-in.ts';

export type Search = {
	/**
	 * Resolves with the notice about the built-in service, after a quarter of a second at most, and
	 * soon after `stop`. Never rejects.
	 */
	readonly notice: Promise<Notice>;
	stop(): void;
};

/** @param plain the notice if nothing is found */
export function lookForLocal(plain: Notice, variables: Environment['variables']): Search {
	const ending = new AbortController();
	const search = async () => {
		const found = await findLocal(placesOf(anyLocal, variables), ending.signal);
		if (found.length === 0) return plain;
		const key = describeUnusedKey(findOffers(variables));
		return builtInNotice([describeFound(found), key].filter(Boolean).join('. '));
	};
	return {notice: search().catch(() => plain), stop: () => ending.abort()};
}

function describeFound(found: readonly LocalService[]): string {
	const names = found.map(
		({provider, models}) => `${provider.title} (${plural(models.length, 'model')})`,
	);
	const verb = found.length === 1 ? 'runs' : 'run';
	const list = [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ');
	return `${list} ${verb} on this machine. To connect: chat setup`;
}

/** Adds the notice when it is there, or before the end of the turn. */
export function listenWith({notice, stop}: Search): TurnListener {
	let found: Notice | undefined;
	let isShown = false;
	void notice.then((ready) => {
		found = ready;
	});
	return {
		async hear(batch) {
			if (isShown) return [];
			if (batch.some(isEnd)) {
				stop();
				found = await notice;
			}
			if (found === undefined) return [];
			isShown = true;
			return [found];
		},
	};
}

function isEnd({type}: ChatEvent): boolean {
	return type === 'turn-end' || type === 'error';
}
