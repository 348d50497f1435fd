/** Looks for services on this machine. */
import {ChatError} from '../../../errors.ts';
import {isLoopback} from '../../../loopback.ts';
import {type LocalProvider, localProviders} from '../../../providers.ts';
import {placesOf} from '../../../settings/options/parse-service.ts';
import {plural} from '../../../wording.ts';
import {findLocal} from '../../run/service/find-local.ts';
import type {Checkup} from './checkup.ts';
import {type Finding, fail, note, ok} from './finding.ts';

export async function checkMachine(checkup: Checkup): Promise<readonly Finding[]> {
	const findings = await Promise.all(localProviders.map((provider) => look(provider, checkup)));
	const all = findings.flat();
	return all.length > 0 ? all : [ok('services', 'none answers')];
}

async function look(
	{name, title}: LocalProvider,
	{environment, signal}: Checkup,
): Promise<readonly Finding[]> {
	try {
		const places = placesOf(`${name}:`, environment.variables);
		const here = places.filter(({baseUrl}) => isLoopback(baseUrl.hostname));
		const found = await findLocal(here, signal);
		return [
			...found.map(({baseUrl, models}) =>
				ok(title, `${baseUrl.origin}, ${plural(models.length, 'model')}`),
			),
			...(here.length < places.length
				? [note(title, 'not asked: its address is not on this machine')]
				: []),
		];
	} catch (error) {
		signal.throwIfAborted();
		const {message} = error as Error;
		return [await fail(title, new ChatError('config', `${name}: ${message}`))];
	}
}
