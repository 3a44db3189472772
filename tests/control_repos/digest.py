"""A catalog as digests, one for each resource in order, so that a difference can be named without keeping the catalog."""
import hashlib, json


def digest(catalog):
    return {'resources': ' '.join(short(resource) for resource in catalog['resources']),
            'edges': short([[edge['source'], edge['target']] for edge in catalog['edges']]),
            'classes': short(catalog['classes'])}


def short(value):
    """Eight hexadecimal digits of the SHA-256 of compact JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(',', ':'))
    return hashlib.sha256(text.encode()).hexdigest()[:8]
