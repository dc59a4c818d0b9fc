import time,sys,torch,numpy as np
sys.path.insert(0,'src'); sys.path.insert(0,'.')
from benchmarks.gpu_protocol import *
from siernet.algorithm import StackTrainer
from torch.profiler import profile, ProfilerActivity
data=[d.to('cuda') for d in training_folds()]
def tasks(n): return [Task(task_key(0,f,m),0.01,0.002,f) for m in range(n//4) for f in range(4)]
for n in (3200,800,200,20):
    with torch.inference_mode():
        for ep in (3,13):
            torch.cuda.synchronize(); t=time.time()
            tr=StackTrainer(tasks(n),data,SquaredError(),Recipe(5,100,3,Schedule(1e-3,ep,decay=False,first_check=ep),0,1e-2))
            g=tr._start(); torch.cuda.synchronize(); t1=time.time()
            for gg in g: tr._epochs(gg,0,ep,thresholding=False)
            torch.cuda.synchronize(); print(n,ep,'start',round(t1-t,3),'epochs',round(time.time()-t1,4), 'us/net-step',(time.time()-t1)/n/ep/3*1e6,flush=True)
        if n in(3200,20):
          with profile(activities=[ProfilerActivity.CUDA,ProfilerActivity.CPU]) as p:
            for gg in g: tr._epochs(gg,0,3,thresholding=False)
            torch.cuda.synchronize()
          print(p.key_averages().table(sort_by="cuda_time_total" if n==3200 else "cpu_time_total",row_limit=25,max_name_column_width=60)[:6000])
