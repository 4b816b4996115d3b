"""Rules about the generated Kueue objects: what the API server would refuse, and what it accepts although it does harm."""
